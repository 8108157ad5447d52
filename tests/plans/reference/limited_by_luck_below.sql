WITH emp_shared_2 AS (
  SELECT
    id
  FROM emp
  LIMIT 3
), emp_shared AS (
  SELECT
    id
  FROM emp_shared_2
  WHERE
    id > 0 AND rand() >= 0
)
SELECT
  count(*) AS n
FROM emp_shared
JOIN emp_shared AS emp_shared_2
  ON emp_shared.id = emp_shared_2.id
