SELECT
  id
FROM (
  SELECT
    id,
    salary
  FROM emp
  ORDER BY
    id
  LIMIT 3
) AS emp_top
WHERE
  salary > 150
ORDER BY
  id
