SELECT
  name,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        dept_2.head = emp.id AS matches
      FROM emp
      WHERE
        emp.dept = dept_2.id
    ) AS emp_part
  ) AS own
FROM dept AS dept_2
