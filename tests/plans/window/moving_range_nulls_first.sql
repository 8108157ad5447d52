SELECT
  id,
  aggregate(
    transform(
      filter(
        rows,
        x -> CASE
          WHEN key IS NULL THEN x.k IS NULL
          ELSE coalesce(x.k <= CAST(key AS DECIMAL(20, 0)) + upper, TRUE)
        END
      ),
      x -> x.v
    ),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s
FROM (
  SELECT
    id,
    collect_list(named_struct('k', v, 'v', id)) OVER (
      ORDER BY v
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS rows,
    v AS key,
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
