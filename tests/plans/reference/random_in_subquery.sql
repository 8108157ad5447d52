WITH emp_shared AS (
  SELECT
    id,
    uuid() AS uuid
  FROM emp
)
SELECT
  id
FROM emp_shared
WHERE
  EXISTS(
    SELECT
      1
    FROM emp_shared AS emp_shared_2
    WHERE
      id = emp_shared.id AND uuid = emp_shared.uuid
  )
