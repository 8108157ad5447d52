SELECT
  id,
  name,
  head
FROM dept
