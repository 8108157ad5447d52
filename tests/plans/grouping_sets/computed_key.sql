WITH emp_shared AS (
  SELECT
    salary > 150 AS gt_salary,
    CAST(7 AS INT) AS key
  FROM emp
)
SELECT
  gt_salary AS rich,
  key AS seven,
  count(*) AS n,
  CASE grouping_id() WHEN 1 THEN 0 WHEN 2 THEN 1 END AS g
FROM emp_shared
GROUP BY
  GROUPING SETS (
    (gt_salary),
    (key)
  )
UNION ALL
SELECT
  NULL,
  NULL,
  count(*),
  2
FROM emp_shared
