SELECT
  k,
  sum(v) AS s,
  grouping_id() AS g
FROM VALUES
  ('a', 1),
  ('a', 2),
  ('b', 3) AS t(k, v)
WHERE
  v < 3
GROUP BY
  ROLLUP (k)
