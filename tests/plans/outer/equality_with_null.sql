SELECT
  dept_id,
  budget_limit
FROM departments
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM (
      SELECT
        audit_records.amount
      FROM audit_records
      GROUP BY
        audit_records.entity_id,
        audit_records.amount
      UNION ALL
      SELECT DISTINCT
        audit_records.amount
      FROM audit_records
    ) AS audit_records_union
    WHERE
      amount = departments.budget_limit
  )
