SELECT
  id,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        emp.dept = emp_2.dept AND emp.salary < emp_2.salary AS matches
      FROM emp AS emp_2
    ) AS emp_rows
  ) AS m
FROM emp
