SELECT
  id,
  CASE WHEN salary > 250 THEN 'high' WHEN salary > 100 THEN 'mid' ELSE 'low' END AS band
FROM emp
