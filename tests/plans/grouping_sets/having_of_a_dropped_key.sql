SELECT
  n
FROM (
  SELECT
    count(*) AS n,
    dept
  FROM emp
  GROUP BY
    GROUPING SETS (
      (dept),
      (salary)
    )
  HAVING
    count(*) > 1 AND dept > 5
) AS emp_agg
