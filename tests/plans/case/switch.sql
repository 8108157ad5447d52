SELECT
  id,
  CASE dept WHEN 10 THEN 'a' WHEN 20 THEN 'b' ELSE 'z' END AS x
FROM emp
