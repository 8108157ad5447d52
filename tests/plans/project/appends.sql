SELECT
  id,
  name,
  head,
  id * 2 AS twice,
  head IS NULL AS headless
FROM dept
