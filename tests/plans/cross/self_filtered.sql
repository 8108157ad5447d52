SELECT
  emp.id,
  dept.name AS dept
FROM emp, dept
WHERE
  emp.dept = dept.id
