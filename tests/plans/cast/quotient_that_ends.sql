SELECT
  price / 2BD AS half,
  price / 20BD AS twentieth,
  /* the quotient is cut off, where / would round */
  price * 1000000 DIV 64BD * 0.000001 AS sixtyfourth,
  price * 10000 DIV 8BD * 0.0001 AS eighth,
  price * 1000000 DIV 3BD * 0.000001 AS third
FROM VALUES
  (CAST(5.35 AS DECIMAL(10, 2))),
  (CAST(-0.01 AS DECIMAL(10, 2))),
  (CAST(NULL AS DECIMAL(10, 2))) AS rows(price)
