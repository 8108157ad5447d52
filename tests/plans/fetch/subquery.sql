SELECT
  id
FROM (
  SELECT
    id,
    row_number() OVER (ORDER BY id NULLS LAST) AS row_number
  FROM emp
) AS emp_ranked
WHERE
  row_number > coalesce((
    SELECT
      count(emp.salary)
    FROM emp
  ), 0)
  AND row_number - coalesce((
    SELECT
      count(emp.salary)
    FROM emp
  ), 0) <= coalesce((
    SELECT
      min(emp.id)
    FROM emp
  ), 9223372036854775807)
ORDER BY
  id NULLS LAST
