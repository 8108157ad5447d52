SELECT
  id,
  CAST(addr AS STRUCT<town: STRING, code: INT, at: STRUCT<x: DOUBLE, y: DOUBLE>>) AS `where`,
  CAST(calls AS ARRAY<STRUCT<peer: STRING, length: INT>>) AS talks
FROM people
