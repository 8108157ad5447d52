SELECT
  rows.a AS p,
  rows_2.b AS q
FROM VALUES
  (1L),
  (2L),
  (2L) AS rows(a)
JOIN VALUES
  (2L),
  (3L) AS rows_2(b)
  ON rows.a = rows_2.b;

WITH rows_shared AS (
  SELECT
    1
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
  count(*) AS n
FROM rows_shared
