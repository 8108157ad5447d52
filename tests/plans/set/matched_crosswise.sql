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
LEFT ANTI JOIN VALUES
  (1, 1),
  (1, 1),
  (1, 2),
  (CAST(NULL AS INT), CAST(NULL AS INT)),
  (CAST(NULL AS INT), CAST(NULL AS INT)),
  (CAST(NULL AS INT), 1) AS rows(a, b)
  ON rows_distinct.a IS NOT DISTINCT FROM rows.b
  AND rows_distinct.b IS NOT DISTINCT FROM rows.a
  AND rows.b > 0
