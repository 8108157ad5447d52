SELECT
  id
FROM (
  SELECT
    id
  FROM emp
  ORDER BY
    salary DESC,
    id
  LIMIT 3
) AS emp_top
ORDER BY
  id DESC
LIMIT 1
