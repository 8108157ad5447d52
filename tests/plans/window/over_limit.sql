SELECT
  id,
  count(id) OVER () AS n
FROM (
  SELECT
    id
  FROM emp
  ORDER BY
    id
  LIMIT 3
) AS emp_top
ORDER BY
  id
