SELECT
  id + id AS a,
  id + id AS b,
  name
FROM dept
