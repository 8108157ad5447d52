SELECT
  CAST(aggregate(
    collect_set(d) OVER (),
    CAST(NULL AS DECIMAL(15, 2)),
    (acc, x) -> CAST(coalesce(acc + x, x) AS DECIMAL(15, 2))
  ) AS DECIMAL(38, 2)) AS s,
  CAST(aggregate(
    collect_set(d) OVER (),
    CAST(NULL AS DECIMAL(15, 2)),
    (acc, x) -> CAST(coalesce(acc + x, x) AS DECIMAL(15, 2))
  ) / size(collect_set(d) OVER ()) AS DECIMAL(38, 2)) AS a
FROM VALUES
  (CAST(1.50 AS DECIMAL(5, 2))),
  (CAST(1.50 AS DECIMAL(5, 2))),
  (CAST(2.25 AS DECIMAL(5, 2))),
  (CAST(NULL AS DECIMAL(5, 2))) AS rows(d)
