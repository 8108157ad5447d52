SELECT
  0 + id AS salary,
  salary AS id
FROM emp
ORDER BY
  emp.salary NULLS LAST,
  salary NULLS LAST
