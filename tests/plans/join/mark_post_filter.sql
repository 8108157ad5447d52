SELECT
  k,
  a
FROM (
  SELECT
    k,
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
WHERE
  mark
