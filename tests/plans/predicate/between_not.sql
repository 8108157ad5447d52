SELECT
  k,
  b
FROM r
WHERE
  k >= 2 AND b <= 40 AND k + b >= 1 AND k + b <= 43 AND k >= 1 AND 7 DIV b <> 3 AND k <= 9
