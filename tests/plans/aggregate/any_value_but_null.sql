SELECT
  g,
  any_value(x, TRUE) AS x
FROM VALUES
  (1, CAST(NULL AS STRING)),
  (1, 'a'),
  (2, CAST(NULL AS STRING)) AS rows(g, x)
GROUP BY
  g
