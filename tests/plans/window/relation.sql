SELECT
  id,
  CAST(row_number() OVER (PARTITION BY dept ORDER BY id NULLS LAST) AS BIGINT) AS rn,
  sum(salary) OVER (PARTITION BY dept) AS total,
  sum(salary) OVER (
    PARTITION BY dept
    ORDER BY id NULLS LAST
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS running
FROM emp
