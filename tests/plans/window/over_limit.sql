SELECT
  id,
  count(id) OVER () AS n
FROM (
  SELECT
    id
  FROM emp
  ORDER BY
    id NULLS LAST
  LIMIT 3
) AS emp_top
ORDER BY
  id NULLS LAST
