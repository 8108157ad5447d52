SELECT
  name,
  (
    SELECT
      count(*)
    FROM emp
    WHERE
      emp.dept = dept_2.id
    HAVING
      count(*) > 0
  ) AS n
FROM dept AS dept_2
