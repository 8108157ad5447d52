SELECT
  k AS x,
  coalesce_b AS y
FROM (
  SELECT
    k,
    coalesce(b, 2) AS coalesce_b
  FROM r
  WHERE
    k > 2
  UNION ALL
  SELECT
    b,
    b
  FROM r
  WHERE
    b < 30
  UNION ALL
  SELECT
    k,
    10
  FROM r
  WHERE
    k IS NULL
) AS r_union
ORDER BY
  k NULLS LAST,
  coalesce_b
