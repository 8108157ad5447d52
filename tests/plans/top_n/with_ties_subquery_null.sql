SELECT
  salary
FROM (
  SELECT
    salary,
    rank() OVER (ORDER BY salary DESC) AS rank,
    row_number() OVER (ORDER BY salary DESC) AS row_number,
    (
      SELECT
        max(CAST(NULL AS BIGINT)) AS max_x
      WHERE
        FALSE
    ) AS count
  FROM emp
) AS emp_ranked
WHERE
  CASE
    WHEN count < 0 THEN raise_error('the number of rows to skip or to keep is negative')
    ELSE row_number > 4 AND coalesce(rank - 4 <= count AND count > 0, TRUE)
  END
ORDER BY
  salary DESC
