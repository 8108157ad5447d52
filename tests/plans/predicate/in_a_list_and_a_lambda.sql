SELECT
  a,
  exists(computed, x -> x IS NULL) AS `unknown`,
  computed_2 OR computed_2 IS NULL AS known_or_unknown
FROM (
  SELECT
    a,
    array(
      (
        SELECT
          CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
        FROM (
          SELECT
            l.k = r.k AS matches
          FROM r
        ) AS r_rows
      )
    ) AS computed,
    (
      SELECT
        CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
      FROM (
        SELECT
          l.k = r.k AS matches
        FROM r
      ) AS r_rows
    ) AS computed_2
  FROM l
) AS l_computed
