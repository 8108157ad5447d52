SELECT
  a
FROM (
  (
    SELECT
      a,
      b
    FROM VALUES
      (1, 10),
      (2, 5) AS t(a, b)
    INTERSECT
    SELECT
      a,
      b
    FROM VALUES
      (1, 20),
      (2, 5) AS u(a, b)
  )
  UNION ALL
  SELECT DISTINCT
    a,
    b
  FROM VALUES
    (3, 1),
    (3, 2),
    (3, 2) AS v(a, b)
) AS t_union
