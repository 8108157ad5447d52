SELECT
  transform(array(1, 20), x -> filter(array(1, 20), y -> y > x)) AS above
FROM t1
LIMIT 1
