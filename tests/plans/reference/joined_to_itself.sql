WITH rows_shared AS (
  SELECT
    rows.a
  FROM VALUES
    (1L),
    (2L),
    (2L) AS rows(a)
  JOIN VALUES
    (2L),
    (3L) AS rows_2(b)
    ON rows.a = rows_2.b
)
SELECT
  rows_shared.a
FROM rows_shared
JOIN rows_shared AS rows_shared_2
  ON rows_shared.a = rows_shared_2.a
