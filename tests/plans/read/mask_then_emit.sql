SELECT
  name
FROM dept
