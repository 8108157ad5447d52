SELECT
  id
FROM dept
UNION ALL
(
  SELECT
    id
  FROM (
    SELECT
      id,
      (
        SELECT
          count(*)
        FROM emp
      ) AS count
    FROM dept AS dept_2
  ) AS dept_computed
  ORDER BY
    count NULLS LAST,
    id
  OFFSET 1
)
ORDER BY
  id
