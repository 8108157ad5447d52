SELECT
  l_union.k,
  l_union.a,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM r
      WHERE
        l_union.k = r.k
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM r
      WHERE
        (l_union.k = r.k) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
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
) AS l_union, (
  SELECT
    1
) AS one_row
