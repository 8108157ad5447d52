SELECT
  5 AS five
FROM (
  SELECT
    1
  FROM dept
  UNION ALL
  SELECT
    1
  FROM people
) AS dept_union
