SELECT
  1 AS i,
  named_struct('a', 1Y, 'b', array(2L, CAST(NULL AS BIGINT))) AS s,
  array(CAST(1.50 AS DECIMAL(5, 2)), CAST(NULL AS DECIMAL(5, 2)), CAST(2.00 AS DECIMAL(5, 2))) AS l,
  CAST(array() AS ARRAY<SMALLINT>) AS el,
  map(1L, 'x', 2L, CAST(NULL AS STRING)) AS m,
  CAST(map() AS MAP<STRING, TINYINT>) AS em,
  CAST(NULL AS STRUCT<x: DOUBLE, y: DOUBLE>) AS n
