SELECT
  id,
  transform(array(1L, 20L), x -> x + count) AS more
FROM (
  SELECT
    id,
    (
      SELECT
        count(*)
      FROM t1
      WHERE
        100 > t1.x
    ) AS count
  FROM people
) AS people_computed
