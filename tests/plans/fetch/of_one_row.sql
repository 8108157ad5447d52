SELECT
  emp_agg.n,
  dept_agg.total
FROM (
  SELECT
    count(*) AS n
  FROM emp
) AS emp_agg, (
  SELECT
    sum(head) AS total
  FROM dept
) AS dept_agg
