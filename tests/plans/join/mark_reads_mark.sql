SELECT
  l_rows.a,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        l_rows_apart.col = TRUE AS matches
    ) AS rows_part
  ) AS m
FROM (
  SELECT
    a,
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
) AS l_rows, LATERAL explode(array(l_rows.mark)) AS l_rows_apart
