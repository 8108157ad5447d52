SELECT
  'abc' AS c0,
  'a  ' AS c1
