SELECT
  id
FROM (
  SELECT
    id,
    v - v AS subtract_v,
    size(
      filter(array_distinct(collect_list(0 - v) RESPECT NULLS OVER ()), x -> x - (0 - v) < 0)
    ) AS place
  FROM VALUES
    (1L, 30L),
    (2L, 10L),
    (3L, 20L),
    (4L, 10L) AS rows(id, v)
) AS rows_ranked
ORDER BY
  subtract_v,
  place,
  id
