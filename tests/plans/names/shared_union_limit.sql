SELECT
  id AS x,
  dept AS X
FROM (
  SELECT
    id,
    dept
  FROM emp
  UNION ALL
  SELECT
    dept,
    id
  FROM emp
  ORDER BY
    dept DESC,
    id NULLS LAST
  LIMIT 3
  OFFSET 1
) AS emp_top
ORDER BY
  dept DESC,
  id NULLS LAST
