SELECT
  dept
FROM (
  SELECT
    dept,
    rank() OVER (ORDER BY dept) AS rank
  FROM emp
) AS emp_ranked
WHERE
  rank <= 1
ORDER BY
  dept
