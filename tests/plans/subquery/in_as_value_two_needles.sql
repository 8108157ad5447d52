SELECT
  a,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        l.k = k AND l.a = a AS matches
      FROM VALUES
        (1L, 'a'),
        (2L, CAST(NULL AS STRING)),
        (3L, 'x'),
        (9L, CAST(NULL AS STRING)) AS rows(k, a)
    ) AS rows_rows
  ) AS found
FROM l
