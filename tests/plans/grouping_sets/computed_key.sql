WITH emp_shared AS (
  SELECT
    salary > 150 AS gt_salary
  FROM emp
)
SELECT
  gt_salary AS rich,
  CASE grouping_id() WHEN 1 THEN 7 END AS seven,
  count(*) AS n,
  CAST(grouping_id() AS INT) AS g
FROM emp_shared
GROUP BY
  ROLLUP (gt_salary)
UNION ALL
SELECT
  NULL,
  NULL,
  count(*),
  2
FROM emp_shared
