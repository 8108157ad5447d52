SELECT
  n
FROM (
  SELECT
    count(*) AS n,
    upper(s) AS upper_s
  FROM VALUES
    ('x'),
    ('X'),
    ('y'),
    (CAST(NULL AS STRING)) AS rows(s)
  GROUP BY
    upper(s)
  HAVING
    upper(s) IS NOT NULL
) AS rows_agg
ORDER BY
  upper_s DESC
LIMIT 2
