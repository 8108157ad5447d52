SELECT
  a,
  CASE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        l_rows.mark = TRUE
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        (l_rows.mark = TRUE) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
FROM (
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
    END AS mark
  FROM l
) AS l_rows
