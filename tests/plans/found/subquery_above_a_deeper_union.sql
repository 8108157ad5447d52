SELECT
  l_union.k,
  EXISTS(
    SELECT
      1
    FROM r
    WHERE
      r.k = l_union.k
  ) AS there
FROM (
  SELECT
    k
  FROM l
  UNION ALL
  SELECT
    k
  FROM l
) AS l_union
LEFT JOIN (
  SELECT
    CAST(NULL AS BIGINT) AS k
  WHERE
    FALSE
) AS rows_part
  ON l_union.k = rows_part.k
CROSS JOIN (SELECT 1) AS one_row
