SELECT
  id,
  total,
  aggregate(
    filter(rows, (x, i) -> i + 1 BETWEEN place - lower AND place),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s
FROM (
  SELECT
    id,
    sum(v) OVER (PARTITION BY k) AS total,
    collect_list(v) RESPECT NULLS OVER (
      ORDER BY id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS rows,
    row_number() OVER (ORDER BY id) AS place,
    CASE
      WHEN id >= 0 THEN id
      ELSE raise_error('the offset of a window frame is negative or NULL')
    END AS lower
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
) AS rows_ranked
