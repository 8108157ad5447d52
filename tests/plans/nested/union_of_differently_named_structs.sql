SELECT
  geo.f0 AS lat
FROM (
  SELECT
    CAST(addr.geo AS STRUCT<f0: DOUBLE, f1: DOUBLE>) AS geo
  FROM people
  UNION ALL
  SELECT
    named_struct('f0', 1.5D, 'f1', CAST(NULL AS DOUBLE))
) AS people_union
