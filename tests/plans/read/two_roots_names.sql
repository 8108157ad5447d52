SELECT
  id AS x,
  head AS x
FROM dept
