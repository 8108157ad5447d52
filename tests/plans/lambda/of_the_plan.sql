SELECT
  x * 2 AS twice,
  transform(array(x, 1), x -> x * 2) AS each
FROM t1
