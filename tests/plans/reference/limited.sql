WITH emp_shared AS (
  SELECT
    1
  FROM emp
  WHERE
    rand() >= 0
  ORDER BY
    salary DESC
  LIMIT 2
)
SELECT
  count(*) AS n
FROM (
  SELECT
    1
  FROM emp_shared
  UNION ALL
  SELECT
    1
  FROM emp_shared
) AS emp_union
