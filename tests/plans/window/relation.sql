SELECT
  id,
  CAST(row_number() OVER (PARTITION BY dept ORDER BY id) AS BIGINT) AS rn,
  sum(salary) OVER (PARTITION BY dept) AS total,
  sum(salary) OVER (
    PARTITION BY dept
    ORDER BY id
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS running
FROM emp
