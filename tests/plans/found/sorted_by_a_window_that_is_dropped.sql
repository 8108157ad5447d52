SELECT
  k
FROM (
  SELECT
    k,
    row_number() OVER (ORDER BY a DESC) AS row_number
  FROM l
) AS l_ranked
ORDER BY
  row_number
LIMIT 2
