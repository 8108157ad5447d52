SELECT
  id,
  aggregate(
    filter(rows, (x, i) -> i + 1 BETWEEN place - lower AND place),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s,
  sum(id) OVER () AS total
FROM (
  SELECT
    id,
    collect_list(id) RESPECT NULLS OVER (
      ORDER BY id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS rows,
    row_number() OVER (ORDER BY id) AS place,
    CASE
      WHEN n >= 0 THEN n
      ELSE raise_error('the offset of a window frame is negative or NULL')
    END AS lower
  FROM VALUES
    (1L, 1L, 0L),
    (2L, 1L, 1L),
    (3L, 2L, 2L),
    (4L, 5L, 1L),
    (5L, CAST(NULL AS BIGINT), 0L) AS rows(id, v, n)
) AS rows_ranked
