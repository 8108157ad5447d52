SELECT
  id,
  aggregate(
    filter(rows, (x, i) -> i + 1 BETWEEN place - lower AND place AND x IS NOT NULL),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s
FROM (
  SELECT
    id,
    rows,
    place,
    CASE
      WHEN subtract_row_number >= 0 THEN subtract_row_number
      ELSE raise_error('the offset of a window frame is negative or NULL')
    END AS lower
  FROM (
    SELECT
      id,
      collect_list(v) RESPECT NULLS OVER (
        ORDER BY id
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
      ) AS rows,
      row_number() OVER (ORDER BY id) AS place,
      row_number() OVER (ORDER BY id) - 1L AS subtract_row_number
    FROM VALUES
      (1L, 1L, 0L),
      (2L, 1L, 1L),
      (3L, 2L, 2L),
      (4L, 5L, 1L),
      (5L, CAST(NULL AS BIGINT), 0L) AS rows(id, v, n)
  ) AS rows_ranked
) AS rows_computed
