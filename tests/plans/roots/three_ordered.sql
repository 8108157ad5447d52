SELECT
  name
FROM dept
ORDER BY
  name NULLS LAST;

SELECT
  count(*) AS n
FROM dept;

SELECT
  id,
  name,
  head
FROM dept
ORDER BY
  id NULLS LAST
LIMIT 1
