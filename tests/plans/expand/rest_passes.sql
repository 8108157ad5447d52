SELECT
  CASE copies.copy WHEN 0 THEN dept.id WHEN 1 THEN dept.id + 1 END AS x,
  dept.name,
  dept.head,
  copies.copy
FROM dept, VALUES
  (0),
  (1) AS copies(copy)
