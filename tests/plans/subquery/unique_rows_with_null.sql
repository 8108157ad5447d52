SELECT
  NOT EXISTS(
    SELECT
      1
    FROM VALUES
      (1, CAST(NULL AS INT)),
      (1, CAST(NULL AS INT)) AS rows(a, b)
    WHERE
      b IS NOT NULL
    GROUP BY
      a,
      b
    HAVING
      count(*) > 1
  ) AS nulls,
  NOT EXISTS(
    SELECT
      1
    FROM VALUES
      (1, CAST(NULL AS INT)),
      (1, 2),
      (1, 2) AS rows(a, b)
    WHERE
      b IS NOT NULL
    GROUP BY
      a,
      b
    HAVING
      count(*) > 1
  ) AS pair
