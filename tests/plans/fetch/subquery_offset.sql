SELECT
  id
FROM (
  SELECT
    id,
    row_number() OVER (ORDER BY id) AS row_number,
    coalesce((
      SELECT
        min(emp.id)
      FROM emp
    ), 0) AS `offset`
  FROM emp
) AS emp_ranked
WHERE
  CASE
    WHEN `offset` < 0 THEN raise_error('the number of rows to skip or to keep is negative')
    ELSE row_number > `offset` AND row_number - `offset` <= 2
  END
ORDER BY
  id
