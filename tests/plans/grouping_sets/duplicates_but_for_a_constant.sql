SELECT
  dept,
  NULL AS mark,
  sum(salary) AS total
FROM emp
GROUP BY
  GROUPING SETS (
    (dept),
    (dept)
  )
UNION ALL
SELECT
  dept,
  'x',
  sum(salary)
FROM emp
GROUP BY
  dept,
  'x'
