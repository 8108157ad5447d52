SELECT
  CASE copies.copy WHEN 0 THEN dept.id WHEN 1 THEN dept.head END AS x,
  dept.name,
  copies.copy
FROM dept, VALUES
  (0),
  (1) AS copies(copy)
