SELECT
  size,
  sum(row_number) AS numbers,
  count(*) AS n
FROM (
  SELECT
    count(id) OVER (PARTITION BY dept) AS size,
    row_number() OVER (ORDER BY id) AS row_number
  FROM emp
) AS emp_ranked
GROUP BY
  size
