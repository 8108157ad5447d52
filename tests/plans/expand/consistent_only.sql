SELECT
  id + 1 AS id,
  name,
  head,
  0 AS copy
FROM dept
