SELECT
  salary
FROM (
  SELECT
    salary,
    rank() OVER (ORDER BY salary DESC) AS rank,
    row_number() OVER (ORDER BY salary DESC) AS row_number,
    coalesce((
      SELECT
        min(emp.id)
      FROM emp
    ), 0) AS `offset`,
    (
      SELECT
        min(emp.id)
      FROM emp
    ) AS count
  FROM emp
) AS emp_ranked
WHERE
  CASE
    WHEN `offset` < 0 OR count < 0
    THEN raise_error('the number of rows to skip or to keep is negative')
    ELSE row_number > `offset` AND coalesce(rank - `offset` <= count AND count > 0, TRUE)
  END
ORDER BY
  salary DESC
