WITH emp_shared AS (
  SELECT
    id,
    rand() AS random
  FROM emp
)
SELECT
  emp_shared.id
FROM emp_shared
JOIN emp_shared AS emp_shared_2
  ON emp_shared.id = emp_shared_2.id AND emp_shared.random = emp_shared_2.random
