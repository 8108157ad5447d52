SELECT
  emp_agg.n,
  dept_agg.total
FROM (
  SELECT
    count(*) AS n
  FROM emp
) AS emp_agg
FULL JOIN (
  SELECT
    sum(head) AS total
  FROM dept
) AS dept_agg
  ON emp_agg.n = dept_agg.total
ORDER BY
  emp_agg.n DESC NULLS FIRST
LIMIT 1
