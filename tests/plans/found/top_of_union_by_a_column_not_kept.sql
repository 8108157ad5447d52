SELECT
  k
FROM (
  SELECT
    k,
    a
  FROM l
  UNION ALL
  SELECT
    k,
    a
  FROM l
  ORDER BY
    a DESC,
    k NULLS LAST
  LIMIT 3
) AS l_top
ORDER BY
  a DESC,
  k NULLS LAST
