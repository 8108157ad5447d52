SELECT
  emp_id AS id,
  (
    SELECT
      count(*)
    FROM audit_records
    WHERE
      audit_records.entity_id = employees.emp_id AND audit_records.amount < employees.salary
  ) AS n
FROM employees
UNION ALL
SELECT
  proj_id,
  (
    SELECT
      count(*)
    FROM audit_records
    WHERE
      audit_records.entity_id = projects.proj_id AND audit_records.amount < projects.cost
  )
FROM projects
