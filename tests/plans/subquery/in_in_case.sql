SELECT
  a,
  CASE
    WHEN (
      SELECT
        CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
      FROM (
        SELECT
          l.k = r.k AS matches
        FROM r
      ) AS r_rows
    ) IS NULL
    THEN 'maybe'
    WHEN (
      SELECT
        CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
      FROM (
        SELECT
          l.k = r.k AS matches
        FROM r
      ) AS r_rows
    )
    THEN 'yes'
    ELSE 'no'
  END AS found
FROM l
