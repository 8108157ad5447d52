SELECT
  rows.a
FROM dept, VALUES
  (1),
  (2) AS rows(a)
