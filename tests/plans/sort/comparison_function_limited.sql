SELECT
  id
FROM (
  SELECT
    id,
    size(filter(array_distinct(collect_list(v) RESPECT NULLS OVER ()), x -> x - v < 0)) AS place
  FROM VALUES
    (1L, 30L),
    (2L, 10L),
    (3L, 20L),
    (4L, 10L) AS rows(id, v)
) AS rows_ranked
ORDER BY
  place,
  id
LIMIT 1
OFFSET 1
