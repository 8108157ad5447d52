SELECT
  name
FROM dept AS dept_2
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM emp
    WHERE
      emp.dept = dept_2.id
    GROUP BY
      emp.dept
    HAVING
      count(*) > 1
  )
