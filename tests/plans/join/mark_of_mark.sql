SELECT
  a,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM r
      WHERE
        l.k = r.k
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM r
      WHERE
        (l.k = r.k) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m,
  CASE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        l.k = 1L
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        (l.k = 1L) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS n
FROM l
