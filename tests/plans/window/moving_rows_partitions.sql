SELECT
  id,
  aggregate(
    filter(rows, (x, i) -> i + 1 BETWEEN place - lower AND place),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s
FROM (
  SELECT
    id,
    collect_list(id) RESPECT NULLS OVER (
      PARTITION BY n
      ORDER BY id DESC
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS rows,
    row_number() OVER (PARTITION BY n ORDER BY id DESC) AS place,
    CASE
      WHEN n + 1 >= 0 THEN n + 1
      ELSE raise_error('the offset of a window frame is negative or NULL')
    END AS lower
  FROM VALUES
    (1L, 1L, 0L),
    (2L, 1L, 1L),
    (3L, 2L, 2L),
    (4L, 5L, 1L),
    (5L, CAST(NULL AS BIGINT), 0L) AS rows(id, v, n)
) AS rows_ranked
