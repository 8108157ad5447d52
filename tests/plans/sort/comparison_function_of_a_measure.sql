SELECT
  v,
  s
FROM (
  SELECT
    v,
    s,
    size(
      filter(
        array_distinct(collect_list(s) RESPECT NULLS OVER ()),
        x -> coalesce(x - s, raise_error('the comparison function of a sort gives NULL')) < 0
      )
    ) AS place
  FROM (
    SELECT
      v,
      sum(id) AS s
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
