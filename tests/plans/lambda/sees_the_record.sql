SELECT
  transform(array(1, 20), x -> x + t1.x) AS sums
FROM t1
