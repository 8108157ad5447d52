SELECT
  name
FROM dept
ORDER BY
  name;

SELECT
  count(*) AS n
FROM dept;

SELECT
  id,
  name,
  head
FROM dept
ORDER BY
  id
LIMIT 1
