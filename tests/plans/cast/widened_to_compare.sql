SELECT
  a = b AS same,
  a < c AS less,
  a IS NOT DISTINCT FROM c AS alike,
  CAST(b AS SMALLINT) = a AS narrowed,
  CAST(a AS DOUBLE) < b AS as_double,
  CAST(a AS BIGINT) + CAST(c AS BIGINT) AS total
FROM VALUES
  (300S, 300L, 5Y),
  (CAST(NULL AS SMALLINT), 7L, 7Y),
  (-1S, CAST(NULL AS BIGINT), CAST(NULL AS TINYINT)),
  (5S, 6L, 5Y) AS t(a, b, c)
