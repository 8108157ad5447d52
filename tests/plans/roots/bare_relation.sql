SELECT
  id,
  name
FROM dept
