(
  SELECT
    id
  FROM emp
  ORDER BY
    id NULLS LAST
  LIMIT 1
)
UNION ALL
(
  SELECT
    id
  FROM emp
  ORDER BY
    id NULLS LAST
  LIMIT 1
  OFFSET 5
)
