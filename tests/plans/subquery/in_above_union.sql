SELECT
  t1_union.x,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        t1_union.x = t2.x
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        (t1_union.x = t2.x) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS found
FROM (
  SELECT
    x
  FROM t1
  UNION ALL
  SELECT
    x
  FROM t3
) AS t1_union, (
  SELECT
    1
) AS one_row
