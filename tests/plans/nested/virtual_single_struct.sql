SELECT
  named_struct('a', 1, 'b', 'x') AS s
UNION ALL
SELECT
  named_struct('a', 2, 'b', CAST(NULL AS STRING))
