SELECT
  dept,
  string_agg(name, ',') WITHIN GROUP (ORDER BY id DESC) FILTER (WHERE salary > 60) AS names,
  count(*) AS n
FROM emp
GROUP BY
  dept
