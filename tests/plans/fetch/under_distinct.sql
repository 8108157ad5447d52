SELECT DISTINCT
  dept
FROM (
  SELECT
    dept
  FROM emp
  ORDER BY
    id
  LIMIT 4
) AS emp_top
