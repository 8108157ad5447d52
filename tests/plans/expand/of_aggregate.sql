SELECT
  CASE copies.copy WHEN 0 THEN emp_agg.dept WHEN 1 THEN emp_agg.count END AS x
FROM (
  SELECT
    dept,
    count(*) AS count
  FROM emp
  GROUP BY
    dept
) AS emp_agg, VALUES
  (0),
  (1) AS copies(copy)
