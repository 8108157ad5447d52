SELECT
  id
FROM (
  SELECT
    id
  FROM emp
  ORDER BY
    id
  LIMIT 4
) AS emp_top
ORDER BY
  id
LIMIT 5
OFFSET 1
