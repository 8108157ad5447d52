SELECT
  name,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM emp
      WHERE
        emp.dept = dept_2.id AND dept_2.head = emp.id
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM emp
      WHERE
        emp.dept = dept_2.id AND (dept_2.head = emp.id) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS own
FROM dept AS dept_2
