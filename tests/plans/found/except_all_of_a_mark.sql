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
      (
        SELECT
          CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
        FROM (
          SELECT
            l.k = r.k AS matches
          FROM r
        ) AS r_rows
      ) AS mark
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
