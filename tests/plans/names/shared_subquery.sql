SELECT
  id,
  ID_2 AS ID
FROM (
  SELECT
    id,
    (
      SELECT
        max(dept.head)
      FROM dept
      WHERE
        dept.id = emp.dept
    ) AS ID_2
  FROM emp
) AS emp_rows
ORDER BY
  ID_2 NULLS LAST,
  emp_rows.id DESC
