SELECT
  /* the quotient is cut off, where / would round */
  CAST(
    (CAST(sold AS DECIMAL(15, 4)) - sold % (stock * 0.00000001))
      / CAST(stock AS DECIMAL(15, 4)) AS DECIMAL(23, 8)
  ) AS whole,
  CAST(
    (CAST(paid AS DECIMAL(15, 4)) - paid % (stock * 0.00000001))
      / CAST(stock AS DECIMAL(15, 4)) AS DECIMAL(23, 8)
  ) AS `left`,
  CAST(
    (
      CAST(sold AS DECIMAL(15, 4)) - sold % (CAST(paid AS DECIMAL(15, 4)) * 0.00000001)
    ) / CAST(paid AS DECIMAL(15, 4)) AS DECIMAL(23, 8)
  ) AS `right`,
  CAST(
    (
      CAST(paid AS DECIMAL(15, 1)) - CAST(paid AS DECIMAL(15, 1)) % (stock * 0.00000001)
    ) / CAST(stock AS DECIMAL(15, 4)) AS DECIMAL(26, 8)
  ) AS rounded
FROM VALUES
  (2L, 3L, CAST(10.00 AS DECIMAL(32, 2))),
  (-7L, 9L, CAST(0.01 AS DECIMAL(32, 2))),
  (CAST(NULL AS BIGINT), 4L, CAST(5.55 AS DECIMAL(32, 2))),
  (5L, CAST(NULL AS BIGINT), CAST(NULL AS DECIMAL(32, 2))) AS rows(sold, stock, paid)
