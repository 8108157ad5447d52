SELECT
  a
FROM (
  SELECT
    k,
    a,
    (
      SELECT
        CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
      FROM (
        SELECT
          l.k = r.k AS matches
        FROM r
      ) AS r_rows
    ) AS computed
  FROM l
) AS l_computed
WHERE
  CASE WHEN computed IS NOT NULL AND (k = 1) IS NOT NULL THEN greatest(computed, k = 1) END
