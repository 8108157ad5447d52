SELECT
  id,
  coalesce(salary, dept, -1) AS x
FROM emp
