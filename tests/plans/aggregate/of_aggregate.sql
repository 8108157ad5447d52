SELECT
  n,
  count(*) AS groups,
  max(dept) AS highest
FROM (
  SELECT
    dept,
    count(*) AS n
  FROM emp
  GROUP BY
    dept
) AS emp_agg
GROUP BY
  n
