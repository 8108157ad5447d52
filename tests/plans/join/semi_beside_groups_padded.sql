SELECT
  l.a,
  r_agg.n,
  r_2.b
FROM l
LEFT SEMI JOIN r
  ON l.k = r.k AND r.b > 20
JOIN (
  SELECT
    k,
    count(*) AS n
  FROM r
  GROUP BY
    k
) AS r_agg
  ON l.k = r_agg.k AND l.k >= r_agg.n
RIGHT JOIN r AS r_2
  ON l.k = r_2.k
