SELECT
  id,
  name,
  head
FROM dept
WHERE
  FALSE
