SELECT
  l.k,
  l.a
FROM l
JOIN (
  SELECT
    k,
    count(*) AS count
  FROM r
  GROUP BY
    k
) AS r_agg
  ON l.k = r_agg.k AND l.k = r_agg.count
