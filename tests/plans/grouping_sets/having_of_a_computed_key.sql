SELECT
  add_a AS k,
  s
FROM (
  SELECT
    add_a,
    sum(b) AS s,
    sum(b) > 3 AS gt_b,
    add_a IS NULL OR add_a > 2 AS or_a
  FROM (
    SELECT
      b,
      a + 1 AS add_a
    FROM VALUES
      (1, 2L),
      (1, 3L),
      (2, 5L),
      (CAST(NULL AS INT), 7L) AS rows(a, b)
  ) AS rows_computed
  GROUP BY
    ROLLUP (add_a)
) AS rows_agg
WHERE
  gt_b AND or_a
ORDER BY
  s
LIMIT 3
