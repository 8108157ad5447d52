SELECT
  dept.name,
  emp_agg.n
FROM (
  SELECT
    dept,
    count(*) AS n
  FROM emp
  GROUP BY
    dept
) AS emp_agg
JOIN dept
  ON emp_agg.dept = dept.id
