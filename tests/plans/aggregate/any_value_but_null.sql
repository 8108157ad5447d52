SELECT
  g,
  any_value(x) IGNORE NULLS AS x
FROM VALUES
  (1, CAST(NULL AS STRING)),
  (1, 'a'),
  (2, CAST(NULL AS STRING)) AS rows(g, x)
GROUP BY
  g
