SELECT
  NOT EXISTS(
    SELECT
      1
    FROM t1
    WHERE
      t1.x IS NOT NULL
    GROUP BY
      t1.x
    HAVING
      count(*) > 1
  ) AS t1,
  NOT EXISTS(
    SELECT
      1
    FROM t3
    WHERE
      t3.x IS NOT NULL
    GROUP BY
      t3.x
    HAVING
      count(*) > 1
  ) AS t3,
  NOT EXISTS(
    SELECT
      1
    WHERE
      FALSE AND CAST(NULL AS INT) IS NOT NULL
    GROUP BY
      CAST(NULL AS INT)
    HAVING
      count(*) > 1
  ) AS none
