SELECT
  k,
  id,
  CAST(row_number AS BIGINT) AS place,
  sum(id) OVER () AS ids,
  sum(sum_v) OVER () AS total
FROM (
  SELECT
    k,
    id,
    sum(v) AS sum_v,
    row_number() OVER (ORDER BY sum(v) DESC) AS row_number
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
  GROUP BY
    GROUPING SETS (
      (k),
      (k, id)
    )
  HAVING
    sum(v) <> 30
) AS rows_ranked
