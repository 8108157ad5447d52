SELECT
  id,
  sum_v AS total
FROM (
  SELECT
    id,
    sum_v,
    row_number() OVER (ORDER BY sum_v DESC, id) AS row_number,
    (
      SELECT
        sum(2) AS sum_n
    ) AS count
  FROM (
    SELECT
      id,
      sum(v) OVER (PARTITION BY k) AS sum_v
    FROM VALUES
      ('a', 1L, 10L),
      ('a', 2L, 20L),
      ('b', 3L, 30L),
      ('b', 4L, 40L),
      ('b', 5L, 5L) AS rows(k, id, v)
  ) AS rows_ranked
) AS rows_ranked
WHERE
  CASE
    WHEN count < 0 THEN raise_error('the number of rows to skip or to keep is negative')
    ELSE coalesce(row_number <= count, TRUE)
  END
ORDER BY
  sum_v DESC,
  id
