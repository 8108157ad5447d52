SELECT
  id
FROM (
  SELECT
    id
  FROM emp
  ORDER BY
    id
  OFFSET 1
) AS emp_top
ORDER BY
  id
LIMIT 2
OFFSET 2
