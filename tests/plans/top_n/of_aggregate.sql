SELECT
  dept,
  n
FROM (
  SELECT
    dept,
    count(*) AS n,
    rank() OVER (ORDER BY count(*) DESC) AS rank
  FROM emp
  GROUP BY
    dept
) AS emp_ranked
WHERE
  rank <= 1
ORDER BY
  n DESC
