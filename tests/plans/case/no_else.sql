SELECT
  id,
  CASE WHEN dept = 10 THEN name END AS name
FROM emp
