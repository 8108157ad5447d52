SELECT
  id,
  aggregate(
    filter(rows, (x, i) -> i + 1 <= place + upper AND x IS NOT NULL),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s
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
    END AS upper
  FROM VALUES
    (1L, 1L, 0L),
    (2L, 1L, 1L),
    (3L, 2L, 2L),
    (4L, 5L, 1L),
    (5L, CAST(NULL AS BIGINT), 0L) AS rows(id, v, n)
) AS rows_ranked
