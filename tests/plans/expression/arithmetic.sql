SELECT
  a + b AS sum,
  a * b AS product,
  CAST(a DIV b AS INT) AS quotient
FROM VALUES
  (7, 2),
  (-7, 2),
  (6, -3) AS rows(a, b)
