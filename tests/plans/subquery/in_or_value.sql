SELECT
  a
FROM l
WHERE
  k IN (
    SELECT
      r.k
    FROM r
    WHERE
      r.k > 0
  ) OR k < 0
