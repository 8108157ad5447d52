SELECT
  k,
  sum(v) AS s,
  CAST(CASE WHEN CAST(grouping_id() AS INT) = 0 THEN 0 ELSE 1 END AS BIGINT) AS g
FROM VALUES
  ('a', 1),
  ('a', 2),
  ('b', 3) AS t(k, v)
WHERE
  v < 3
GROUP BY
  ROLLUP (k)
