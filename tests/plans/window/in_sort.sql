SELECT
  id
FROM (
  SELECT
    id,
    count(id) OVER (PARTITION BY dept) AS count_id
  FROM emp
) AS emp_ranked
ORDER BY
  count_id,
  id DESC
