SELECT
  id,
  CAST(s AS STRUCT<a: INT, b: STRING>) AS s
FROM VALUES
  (1, named_struct('f0', 1, 'f1', 'x')),
  (2, CAST(NULL AS STRUCT<f0: INT, f1: STRING>)) AS rows(id, s)
