SELECT
  CASE copies.copy WHEN 0 THEN emp.dept WHEN 1 THEN NULL END AS dept,
  copies.copy,
  sum(emp.salary) AS total
FROM emp, VALUES
  (0),
  (1) AS copies(copy)
GROUP BY
  CASE copies.copy WHEN 0 THEN emp.dept WHEN 1 THEN NULL END,
  copies.copy
