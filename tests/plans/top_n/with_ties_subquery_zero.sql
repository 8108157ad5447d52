SELECT
  salary
FROM (
  SELECT
    salary,
    rank() OVER (ORDER BY salary DESC) AS rank,
    row_number() OVER (ORDER BY salary DESC) AS row_number,
    (
      SELECT
        min(emp.id)
      FROM emp
    ) - (
      SELECT
        min(emp.id)
      FROM emp
    ) AS count
  FROM emp
) AS emp_ranked
WHERE
  CASE
    WHEN count < 0 THEN raise_error('the number of rows to skip or to keep is negative')
    ELSE row_number > 2 AND coalesce(rank - 2 <= count AND count > 0, TRUE)
  END
ORDER BY
  salary DESC
