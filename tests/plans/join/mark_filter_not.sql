SELECT
  k,
  a,
  m
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
          r.k > 0 AND l.k = r.k
      )
      THEN TRUE
      WHEN EXISTS(
        SELECT
          1
        FROM r
        WHERE
          r.k > 0 AND (l.k = r.k) IS NULL
      )
      THEN NULL
      ELSE FALSE
    END AS m
  FROM l
) AS l_rows
WHERE
  NOT m
