SELECT
  k,
  a,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM r
      WHERE
        l.k = r.k AND r.b > 20
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM r
      WHERE
        (l.k = r.k AND r.b > 20) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
FROM l
