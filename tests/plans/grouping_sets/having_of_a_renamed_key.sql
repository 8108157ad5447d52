SELECT
  x,
  s
FROM (
  SELECT
    a AS x,
    sum(b) AS s,
    sum(b) > 3 AS gt_b,
    a IS NULL OR a > 1 AS or_a
  FROM VALUES
    (1, 2L),
    (1, 3L),
    (2, 5L),
    (CAST(NULL AS INT), 7L) AS rows(a, b)
  GROUP BY
    ROLLUP (a)
) AS rows_agg
WHERE
  gt_b AND or_a
