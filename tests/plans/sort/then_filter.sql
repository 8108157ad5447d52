SELECT
  id,
  salary
FROM emp
WHERE
  dept IS NOT NULL
ORDER BY
  salary DESC
