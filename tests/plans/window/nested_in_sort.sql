SELECT
  id
FROM (
  SELECT
    id,
    sum(row_number) OVER (
      ORDER BY id
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS sum_row_number
  FROM (
    SELECT
      id,
      row_number() OVER (ORDER BY id DESC) AS row_number
    FROM VALUES
      (1L, 1L, 0L),
      (2L, 1L, 1L),
      (3L, 2L, 2L),
      (4L, 5L, 1L),
      (5L, CAST(NULL AS BIGINT), 0L) AS rows(id, v, n)
  ) AS rows_ranked
) AS rows_ranked
ORDER BY
  sum_row_number DESC
