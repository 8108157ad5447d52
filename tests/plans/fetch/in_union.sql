(
  SELECT
    id
  FROM emp
  ORDER BY
    id
  LIMIT 1
)
UNION ALL
(
  SELECT
    id
  FROM emp
  ORDER BY
    id
  LIMIT 1
  OFFSET 5
)
