SELECT
  string_agg(name, ',') WITHIN GROUP (ORDER BY salary DESC NULLS FIRST, id NULLS LAST) AS names
FROM emp
