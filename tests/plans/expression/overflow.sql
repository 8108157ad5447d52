SELECT
  coalesce(
    try_add(a, b),
    CASE
      WHEN a > 0 AND b > 0 THEN CAST(127 AS TINYINT)
      WHEN a < 0 AND b < 0 THEN CAST(-128 AS TINYINT)
    END
  ) AS saturated,
  CAST(shiftright(shiftleft(CAST(a AS BIGINT) + b, 56), 56) AS TINYINT) AS silent,
  CAST(CASE WHEN a = -128 AND b = -1 THEN 127 ELSE a DIV nullif(b, 0) END AS TINYINT) AS quotient,
  CASE
    WHEN a % nullif(b, 0) <> 0 AND (a % nullif(b, 0) < 0) <> (b < 0) THEN a % nullif(b, 0) + b
    ELSE a % nullif(b, 0)
  END AS remainder
FROM VALUES
  (120Y, 10Y),
  (-7Y, 3Y),
  (-128Y, -1Y) AS rows(a, b)
