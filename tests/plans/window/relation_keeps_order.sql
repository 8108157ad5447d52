SELECT
  id,
  CAST(rank() OVER (ORDER BY salary DESC) AS BIGINT) AS rank
FROM emp
ORDER BY
  id DESC
