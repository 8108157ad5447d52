SELECT
  x,
  matched.y AS y
FROM (
  SELECT
    x,
    (
      SELECT
        named_struct('y', y)
      FROM VALUES
        (1L),
        (4L) AS rows_2(y)
      WHERE
        rows.x < y
    ) AS matched
  FROM VALUES
    (2L),
    (3L),
    (9L),
    (CAST(NULL AS BIGINT)) AS rows(x)
) AS rows_matched
