SELECT
  id,
  aggregate(
    filter(rows, (x, i) -> i + 1 <= place + upper),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s
FROM (
  SELECT
    id,
    collect_list(id) RESPECT NULLS OVER (
      PARTITION BY count_id
      ORDER BY id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS rows,
    row_number() OVER (PARTITION BY count_id ORDER BY id) AS place,
    CASE
      WHEN n >= 0 THEN n
      ELSE raise_error('the offset of a window frame is negative or NULL')
    END AS upper
  FROM (
    SELECT
      id,
      n,
      count(id) OVER (PARTITION BY v) AS count_id
    FROM VALUES
      (1L, 1L, 0L),
      (2L, 1L, 1L),
      (3L, 2L, 2L),
      (4L, 5L, 1L),
      (5L, CAST(NULL AS BIGINT), 0L) AS rows(id, v, n)
  ) AS rows_ranked
) AS rows_ranked
