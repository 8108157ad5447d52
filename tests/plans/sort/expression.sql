SELECT
  id
FROM emp
ORDER BY
  0 - salary NULLS LAST,
  id DESC
