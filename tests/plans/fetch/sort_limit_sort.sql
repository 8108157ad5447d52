SELECT
  name
FROM (
  SELECT
    name
  FROM emp
  ORDER BY
    salary DESC,
    id
  LIMIT 3
) AS emp_top
ORDER BY
  name DESC
