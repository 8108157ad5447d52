SELECT
  a,
  l
FROM VALUES
  (1L, array(2L, CAST(NULL AS BIGINT))),
  (CAST(NULL AS BIGINT), array(3L)),
  (-1L, CAST(array() AS ARRAY<BIGINT>)) AS rows(a, l)
WHERE
  a > -5
