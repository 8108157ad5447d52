SELECT
  rows_distinct.a,
  rows_distinct.b
FROM (
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
) AS rows_distinct
LEFT SEMI JOIN VALUES
  (1, 1),
  (2, 1),
  (2, 1),
  (CAST(NULL AS INT), CAST(NULL AS INT)),
  (3, CAST(NULL AS INT)) AS rows(b, a)
  ON rows_distinct.a IS NOT DISTINCT FROM rows.a
