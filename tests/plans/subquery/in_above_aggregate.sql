SELECT
  dept,
  n,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        emp_agg.dept = dept.id AS matches
      FROM dept
    ) AS dept_rows
  ) AS known
FROM (
  SELECT
    dept,
    count(*) AS n
  FROM emp
  GROUP BY
    dept
) AS emp_agg
