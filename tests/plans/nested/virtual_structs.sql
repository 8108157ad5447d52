SELECT
  id,
  s
FROM VALUES
  (1, named_struct('a', 1, 'b', 'x')),
  (2, CAST(NULL AS STRUCT<a: INT, b: STRING>)) AS rows(id, s)
