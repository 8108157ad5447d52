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
  ON r_agg.k = l.k AND r_agg.count < l.k
