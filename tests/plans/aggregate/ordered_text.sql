SELECT
  string_agg(name, ',') WITHIN GROUP (ORDER BY salary DESC NULLS FIRST, id) AS names
FROM emp
