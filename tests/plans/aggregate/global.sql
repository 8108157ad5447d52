SELECT
  count(*) AS n,
  count(salary) AS known,
  sum(salary) AS total,
  min(salary) AS least
FROM emp
