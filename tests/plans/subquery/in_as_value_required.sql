SELECT
  name,
  EXISTS(
    SELECT
      1
    FROM emp
    WHERE
      3 = emp.id
  ) AS found
FROM dept AS dept_2
