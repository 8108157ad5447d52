SELECT
  known,
  sum(count) AS depts,
  count(*) FILTER (WHERE computed) AS heads
FROM (
  SELECT
    EXISTS(
      SELECT
        1
      FROM dept
      WHERE
        dept.id = emp.dept
    ) AS known,
    (
      SELECT
        count(*)
      FROM dept
    ) AS count,
    EXISTS(
      SELECT
        1
      FROM dept
      WHERE
        dept.head = emp.id
    ) AS computed
  FROM emp
) AS emp_computed
GROUP BY
  known
