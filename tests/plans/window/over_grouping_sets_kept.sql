SELECT
  k,
  count(*) OVER () AS n
FROM (
  SELECT
    k
  FROM VALUES
    ('a', 1),
    ('a', 2),
    ('b', 3),
    (CAST(NULL AS STRING), 4) AS t(k, v)
  GROUP BY
    ROLLUP (k)
  HAVING
    k IS NOT NULL
) AS t_agg
