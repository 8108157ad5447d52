WITH emp_shared AS (
  SELECT
    id
  FROM emp
  WHERE
    rand() >= 0
  LIMIT 3
)
SELECT
  count(*) AS n
FROM emp_shared
LEFT ANTI JOIN emp_shared AS emp_shared_2
  ON emp_shared.id = emp_shared_2.id
