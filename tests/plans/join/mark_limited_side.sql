SELECT
  a,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM (
        SELECT
          r.k
        FROM r
        ORDER BY
          r.b DESC
        LIMIT 2
      ) AS r_top
      WHERE
        l.k = k
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM (
        SELECT
          r.k
        FROM r
        ORDER BY
          r.b DESC
        LIMIT 2
      ) AS r_top
      WHERE
        (l.k = k) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
FROM l
