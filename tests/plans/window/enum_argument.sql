SELECT
  x,
  var_pop(x) OVER () AS v
FROM VALUES
  (1.0D),
  (2.0D),
  (3.0D),
  (4.0D),
  (5.0D) AS rows(x)
