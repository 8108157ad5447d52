SELECT
  id
FROM (
  SELECT
    id,
    salary,
    rank() OVER (ORDER BY salary DESC, id) AS rank
  FROM emp
) AS emp_ranked
WHERE
  rank <= 2
ORDER BY
  salary DESC,
  id
