SELECT
  b
FROM (
  SELECT
    a,
    b
  FROM VALUES
    (1, 'x'),
    (2, 'x'),
    (1, 'x') AS rows(a, b)
  UNION
  SELECT
    2,
    'y'
) AS rows_union
