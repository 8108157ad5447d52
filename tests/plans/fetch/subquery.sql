SELECT
  id
FROM (
  SELECT
    id,
    row_number() OVER (ORDER BY id) AS row_number,
    coalesce((
      SELECT
        count(emp.salary)
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
    ELSE row_number > `offset` AND coalesce(row_number - `offset` <= count, TRUE)
  END
ORDER BY
  id
