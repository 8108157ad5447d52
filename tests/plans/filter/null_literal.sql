SELECT
  id,
  name,
  head
FROM dept
WHERE
  CAST(NULL AS BOOLEAN)
