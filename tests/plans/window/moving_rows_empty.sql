SELECT
  id,
  aggregate(
    filter(rows, (x, i) -> i + 1 BETWEEN place + lower AND place + 1 AND x IS NOT NULL),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s,
  CAST(size(filter(rows_2, (x, i) -> i + 1 BETWEEN place + lower AND place + 1)) AS BIGINT) AS n,
  CAST(size(filter(rows_3, (x, i) -> i + 1 BETWEEN place + lower AND place + 1)) AS BIGINT) AS rows
FROM (
  SELECT
    id,
    collect_list(v) RESPECT NULLS OVER (
      ORDER BY id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS rows,
    row_number() OVER (ORDER BY id) AS place,
    CASE
      WHEN n >= 0 THEN n
      ELSE raise_error('the offset of a window frame is negative or NULL')
    END AS lower,
    collect_list(id) RESPECT NULLS OVER (
      ORDER BY id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS rows_2,
    collect_list(1) RESPECT NULLS OVER (
      ORDER BY id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS rows_3
  FROM VALUES
    (1L, 1L, 0L),
    (2L, 1L, 1L),
    (3L, 2L, 2L),
    (4L, 5L, 1L),
    (5L, CAST(NULL AS BIGINT), 0L) AS rows(id, v, n)
) AS rows_ranked
