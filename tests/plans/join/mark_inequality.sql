SELECT
  x,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        rows.x < y AS matches
      FROM VALUES
        (1L),
        (4L) AS rows_2(y)
    ) AS rows_rows
  ) AS m
FROM VALUES
  (5L),
  (0L),
  (CAST(NULL AS BIGINT)) AS rows(x)
