SELECT
  a,
  CASE
    WHEN CASE
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
    END IS NULL
    THEN 'maybe'
    WHEN CASE
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
    END
    THEN 'yes'
    ELSE 'no'
  END AS found
FROM l
