SELECT
  head,
  id
FROM dept
