SELECT
  a,
  aggregate(
    collect_set(count) OVER (),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS sum
FROM (
  SELECT
    a,
    (
      SELECT
        count(*)
      FROM l AS l_2
      WHERE
        l_2.k = l.k
    ) AS count
  FROM l
) AS l_computed
