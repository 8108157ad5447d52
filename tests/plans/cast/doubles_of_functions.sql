SELECT
  dept,
  avg(salary) AS a,
  stddev_samp(id) AS s,
  avg(DISTINCT CAST(id AS DOUBLE)) AS d,
  avg(CAST(CAST(salary + id AS DECIMAL(10, 2)) AS DOUBLE)) AS x,
  count(*) AS n
FROM emp
GROUP BY
  dept
