SELECT
  k
FROM (
  SELECT
    k,
    count(*) AS count
  FROM l
  GROUP BY
    k
  HAVING
    k = k
) AS l_agg
ORDER BY
  count DESC,
  k NULLS LAST
