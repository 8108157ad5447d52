SELECT
  b,
  a,
  a AS a2
FROM (
  SELECT
    a,
    b
  FROM VALUES
    (1, 'x'),
    (2, 'x'),
    (1, 'x') AS rows(a, b)
  INTERSECT ALL
  SELECT
    a,
    b
  FROM VALUES
    (1, 'x'),
    (2, 'x'),
    (1, 'x') AS rows(a, b)
) AS rows_intersect
