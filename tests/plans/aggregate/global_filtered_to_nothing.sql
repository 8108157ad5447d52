SELECT
  count(*) AS n,
  sum(salary) AS total
FROM emp
WHERE
  id > 100
