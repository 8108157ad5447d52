WITH rows_shared AS (
  SELECT
    rows.a,
    rows_2.b
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
  a,
  b
FROM rows_shared
UNION ALL
SELECT
  a,
  b
FROM rows_shared
