SELECT
  name,
  name LIKE '%n%' AS n,
  name LIKE '_a_' AS a
FROM emp
