WITH emp_shared AS (
  SELECT
    id,
    name,
    salary
  FROM emp
  WHERE
    salary > 100
)
SELECT
  id,
  name
FROM emp_shared
WHERE
  EXISTS(
    SELECT
      1
    FROM emp_shared AS emp_shared_2
    WHERE
      salary = emp_shared.salary AND id > emp_shared.id
  )
