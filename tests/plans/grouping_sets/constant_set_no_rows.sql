SELECT
  k,
  sum(v) AS s
FROM VALUES
  ('a', 1),
  ('b', 3) AS t(k, v)
WHERE
  v > 3
GROUP BY
  ROLLUP (k)
