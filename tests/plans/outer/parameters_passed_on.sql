SELECT
  dept_id,
  (
    SELECT
      count(*)
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
  ) AS n
FROM departments
