SELECT
  b
FROM (
  SELECT
    a,
    b
  FROM VALUES
    (1, 1),
    (1, 2) AS rows(a, b)
  UNION
  SELECT
    a,
    b
  FROM VALUES
    (1, 2),
    (2, 2) AS rows(a, b)
) AS rows_union
