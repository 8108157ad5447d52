SELECT
  dept_id,
  (
    SELECT
      count(*)
    FROM (
      SELECT
        audit_records.amount
      FROM audit_records
      WHERE
        audit_records.entity_id = departments.dept_id * 10 + 0
      UNION ALL
      SELECT
        audit_records.amount
      FROM audit_records
      WHERE
        audit_records.entity_id = departments.dept_id * 10 + 1
    ) AS audit_records_union
    WHERE
      amount < departments.budget_limit
  ) AS n
FROM departments
