SELECT
  dept AS salary,
  count(*) AS dept
FROM emp
GROUP BY
  dept
HAVING
  emp.dept > 10
