SELECT
  k,
  b
FROM r
WHERE
  (k IN (2, 4) OR 80 DIV b = 4) AND k IN (2, 4, 3) AND 80 DIV b > 2 AND k IN (2, 4)
