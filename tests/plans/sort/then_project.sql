SELECT
  name
FROM dept
ORDER BY
  id DESC
