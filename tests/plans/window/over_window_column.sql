SELECT
  id,
  total,
  CAST(dense_rank() OVER (ORDER BY total DESC) AS BIGINT) AS place
FROM (
  SELECT
    id,
    sum(salary) OVER (PARTITION BY dept) AS total
  FROM emp
) AS emp_ranked
