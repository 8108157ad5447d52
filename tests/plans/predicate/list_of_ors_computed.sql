SELECT
  k,
  b
FROM r
WHERE
  (k + b = 22 OR k + b = 44) AND (k = 2 OR 80 DIV b > 1 OR k = 4) AND (k = b OR k < 9)
