SELECT
  CAST(s AS STRUCT<a: INT, b: STRING>) AS s
FROM (
  SELECT
    named_struct('f0', 1, 'f1', 'x') AS s
  UNION ALL
  SELECT
    named_struct('f0', 2, 'f1', CAST(NULL AS STRING))
) AS rows_union
