WITH emp_shared AS (
  SELECT
    count(*) AS count
  FROM emp
  GROUP BY
    dept
)
SELECT
  count
FROM emp_shared
WHERE
  count > 1
