SELECT
  'abc' AS c0,
  '' AS c1
