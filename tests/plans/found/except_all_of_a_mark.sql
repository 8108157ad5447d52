SELECT
  l_numbered.k,
  l_numbered.mark AS m
FROM (
  SELECT
    k,
    mark,
    row_number() OVER (PARTITION BY k, mark ORDER BY NULL) AS copy
  FROM (
    SELECT
      k,
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
) AS l_numbered
LEFT ANTI JOIN (
  SELECT
    k,
    m,
    row_number() OVER (PARTITION BY k, m ORDER BY NULL) AS copy
  FROM VALUES
    (2L, TRUE),
    (CAST(NULL AS BIGINT), CAST(NULL AS BOOLEAN)),
    (5L, TRUE) AS rows(k, m)
) AS rows_numbered
  ON l_numbered.k IS NOT DISTINCT FROM rows_numbered.k
  AND l_numbered.mark IS NOT DISTINCT FROM rows_numbered.m
  AND l_numbered.copy IS NOT DISTINCT FROM rows_numbered.copy
