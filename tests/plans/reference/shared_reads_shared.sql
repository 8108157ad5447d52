WITH emp_shared_2 AS (
  SELECT
    name,
    dept
  FROM emp
  WHERE
    salary > 100
), emp_shared AS (
  SELECT
    dept,
    count(*) AS count
  FROM emp_shared_2
  GROUP BY
    dept
)
SELECT
  emp_shared.dept,
  emp_shared.count AS n,
  emp_shared_2.name
FROM emp_shared
JOIN emp_shared_2
  ON emp_shared.dept = emp_shared_2.dept
