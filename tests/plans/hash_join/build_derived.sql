SELECT /*+ SHUFFLE_HASH(emp_agg) */
  emp.id
FROM emp
LEFT SEMI JOIN (
  SELECT
    dept,
    count(*) AS count
  FROM emp
  GROUP BY
    dept
) AS emp_agg
  ON emp.dept = emp_agg.dept AND emp_agg.count > 1
