WITH emp_shared AS (
  SELECT
    1
  FROM emp
  GROUP BY
    dept
)
SELECT
  count(*) AS n
FROM emp_shared;

WITH emp_shared AS (
  SELECT
    dept,
    sum(salary) AS sum_salary
  FROM emp
  GROUP BY
    dept
)
SELECT
  dept
FROM emp_shared
WHERE
  sum_salary > 300
