WITH emp_shared_2 AS (
  SELECT
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
  dept,
  count AS n
FROM emp_shared
