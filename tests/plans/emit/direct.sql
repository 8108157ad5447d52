SELECT
  id
FROM dept
