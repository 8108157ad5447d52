SELECT
  v,
  sum_id AS s
FROM (
  SELECT
    v,
    sum_id,
    size(
      filter(
        array_distinct(collect_list(sum_id) RESPECT NULLS OVER ()),
        x -> coalesce(x - sum_id, raise_error('the comparison function of a sort gives NULL')) < 0
      )
    ) AS place
  FROM (
    SELECT
      v,
      sum(id) AS sum_id
    FROM VALUES
      (1L, 30L),
      (2L, 10L),
      (3L, 20L),
      (4L, 10L) AS rows(id, v)
    GROUP BY
      v
  ) AS rows_agg
) AS rows_ranked
ORDER BY
  place
