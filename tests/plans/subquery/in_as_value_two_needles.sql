SELECT
  a,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM VALUES
        (1L, 'a'),
        (2L, CAST(NULL AS STRING)),
        (3L, 'x'),
        (9L, CAST(NULL AS STRING)) AS rows(k, a)
      WHERE
        l.k = k AND l.a = a
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM VALUES
        (1L, 'a'),
        (2L, CAST(NULL AS STRING)),
        (3L, 'x'),
        (9L, CAST(NULL AS STRING)) AS rows(k, a)
      WHERE
        (l.k = k AND l.a = a) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS found
FROM l
