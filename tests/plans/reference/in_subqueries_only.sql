WITH emp_shared AS (
  SELECT
    id,
    dept
  FROM emp
  WHERE
    salary > 100
)
SELECT
  name,
  (
    SELECT
      count(*)
    FROM emp_shared
    WHERE
      dept = dept_2.id
  ) AS n,
  EXISTS(
    SELECT
      1
    FROM emp_shared
    WHERE
      id = dept_2.head
  ) AS head_is_paid
FROM dept AS dept_2
