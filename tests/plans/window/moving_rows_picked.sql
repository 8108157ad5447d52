SELECT
  id,
  get(filter(rows, (x, i) -> i + 1 BETWEEN place - lower AND place + 1), 0) AS f,
  try_element_at(filter(rows, (x, i) -> i + 1 BETWEEN place - lower AND place + 1), -1) AS l,
  get(filter(rows, (x, i) -> i + 1 BETWEEN place - lower AND place + 1), 1) AS s
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
    END AS lower
  FROM VALUES
    (1L, 1L, 0L),
    (2L, 1L, 1L),
    (3L, 2L, 2L),
    (4L, 5L, 1L),
    (5L, CAST(NULL AS BIGINT), 0L) AS rows(id, v, n)
) AS rows_ranked
