SELECT
  dept,
  dept + 1 AS next
FROM (
  SELECT DISTINCT
    dept
  FROM emp
) AS emp_distinct
