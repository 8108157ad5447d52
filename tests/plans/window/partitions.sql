SELECT
  id,
  CAST(row_number() OVER (PARTITION BY dept ORDER BY salary) AS BIGINT) AS rn,
  sum(salary) OVER (PARTITION BY dept) AS total,
  count(salary) OVER (PARTITION BY dept) AS n
FROM emp
