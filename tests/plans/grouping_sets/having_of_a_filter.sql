SELECT
  dept,
  n
FROM (
  SELECT
    dept,
    count(*) FILTER (WHERE salary > 100) AS n
  FROM emp
  GROUP BY
    GROUPING SETS (
      (dept),
      (id)
    )
) AS emp_agg
WHERE
  n < dept
