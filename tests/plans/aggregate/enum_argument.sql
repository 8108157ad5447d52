SELECT
  var_samp(x) AS sample,
  var_pop(x) AS population
FROM VALUES
  (1.0D),
  (2.0D),
  (3.0D),
  (4.0D),
  (5.0D) AS rows(x)
