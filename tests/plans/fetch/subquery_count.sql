SELECT
  id
FROM (
  SELECT
    id,
    row_number() OVER (ORDER BY id) AS row_number,
    (
      SELECT
        min(emp.id)
      FROM emp
    ) AS count
  FROM emp
) AS emp_ranked
WHERE
  CASE
    WHEN count < 0 THEN raise_error('the number of rows to skip or to keep is negative')
    ELSE row_number > 2 AND coalesce(row_number - 2 <= count, TRUE)
  END
ORDER BY
  id
