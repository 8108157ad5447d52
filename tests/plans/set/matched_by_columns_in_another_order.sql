SELECT DISTINCT
  a,
  b
FROM VALUES
  (1, 1),
  (1, 1),
  (1, 2),
  (CAST(NULL AS INT), CAST(NULL AS INT)),
  (CAST(NULL AS INT), CAST(NULL AS INT)),
  (CAST(NULL AS INT), 1) AS rows(a, b)
INTERSECT
SELECT
  a,
  b
FROM VALUES
  (1, 1),
  (2, 1),
  (2, 1),
  (CAST(NULL AS INT), CAST(NULL AS INT)),
  (3, CAST(NULL AS INT)) AS rows(b, a)
WHERE
  NOT (coalesce(b, 0) > 2)
