SELECT
  l.a,
  r.b,
  rows.c
FROM l
JOIN r
  ON l.k = r.k
JOIN VALUES
  (2L, 1L),
  (3L, 1L),
  (3L, CAST(NULL AS BIGINT)),
  (CAST(NULL AS BIGINT), 1L) AS rows(k, c)
  ON r.k = rows.k
WHERE
  (
    (l.a = 'b' AND r.b = 20 AND rows.c = 1)
    OR (l.a = 'c' AND r.b = 21 AND rows.c = 1)
    OR (l.a = 'e' AND r.b = 99 AND rows.c = 2)
  )
  AND l.a IN ('b', 'c', 'e')
  AND r.b IN (20, 21, 99);

SELECT
  l.a,
  r.b,
  rows_part.c
FROM l
JOIN r
  ON l.k = r.k
JOIN (
  SELECT
    CAST(NULL AS BIGINT) AS k,
    CAST(NULL AS BIGINT) AS c
  WHERE
    FALSE
) AS rows_part
  ON r.k = rows_part.k
WHERE
  (
    (l.a = 'b' AND r.b = 20 AND rows_part.c = 1)
    OR (l.a = 'c' AND r.b = 21 AND rows_part.c = 1)
    OR (l.a = 'e' AND r.b = 99 AND rows_part.c = 2)
  )
  AND l.a IN ('b', 'c', 'e')
  AND r.b IN (20, 21, 99)
