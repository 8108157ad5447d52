SELECT
  x,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        t1_union.x = t2.x AS matches
      FROM t2
    ) AS t2_rows
  ) AS found
FROM (
  SELECT
    x
  FROM t1
  UNION ALL
  SELECT
    x
  FROM t3
) AS t1_union, (SELECT 1) AS one_row
