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
        departments_2.budget_limit
      FROM departments AS departments_2
      GROUP BY
        departments_2.dept_id,
        departments_2.budget_limit
      UNION ALL
      SELECT DISTINCT
        departments_2.budget_limit
      FROM departments AS departments_2
    ) AS departments_union
    WHERE
      budget_limit IS NOT DISTINCT FROM departments.budget_limit
  )
