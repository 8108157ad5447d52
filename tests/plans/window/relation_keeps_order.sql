SELECT
  id,
  CAST(rank AS BIGINT) AS rank
FROM (
  SELECT
    id,
    rank() OVER (ORDER BY salary DESC) AS rank
  FROM emp
) AS emp_ranked
ORDER BY
  id DESC
