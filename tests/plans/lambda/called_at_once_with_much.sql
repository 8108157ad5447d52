SELECT
  get(transform(array(x * 3 + x * x), x -> x * x), 0) AS square
FROM t1
