SELECT
  dept_id,
  budget_limit
FROM departments
WHERE
  EXISTS(
    SELECT
      1
    FROM (
      SELECT
        employees.emp_id,
        employees.dept_id,
        departments.budget_limit
      FROM employees
    ) AS employees_rows
    WHERE
      dept_id = departments.dept_id
      AND EXISTS(
        SELECT
          1
        FROM audit_records
        WHERE
          audit_records.entity_id = employees_rows.emp_id
          AND audit_records.amount < employees_rows.budget_limit
      )
  )
  AND EXISTS(
    SELECT
      1
    FROM (
      SELECT
        projects.proj_id,
        projects.dept_id,
        departments.budget_limit
      FROM projects
    ) AS projects_rows
    WHERE
      dept_id = departments.dept_id
      AND EXISTS(
        SELECT
          1
        FROM audit_records
        WHERE
          audit_records.entity_id = projects_rows.proj_id
          AND audit_records.amount < projects_rows.budget_limit
      )
  )
