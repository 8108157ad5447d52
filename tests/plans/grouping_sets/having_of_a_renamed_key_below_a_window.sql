SELECT
  a AS x,
  s,
  count(*) OVER () AS n
FROM (
  SELECT
    a,
    sum(b) AS s
  FROM VALUES
    (1, 2L),
    (1, 3L),
    (2, 5L),
    (CAST(NULL AS INT), 7L) AS rows(a, b)
  GROUP BY
    ROLLUP (a)
  HAVING
    sum(b) > 3 AND (a IS NULL OR a > 1)
) AS rows_agg
