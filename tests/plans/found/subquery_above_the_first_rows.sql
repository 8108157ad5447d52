SELECT
  k,
  (
    SELECT
      count(*)
    FROM r
    WHERE
      r.k = l.k
  ) AS n
FROM l
ORDER BY
  k DESC,
  a NULLS LAST
LIMIT 2
