SELECT
  id,
  sum(id) OVER (ORDER BY place) AS s,
  sum(id) OVER (ORDER BY place, id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS pair
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
