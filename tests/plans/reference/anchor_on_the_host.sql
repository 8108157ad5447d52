SELECT
  (
    SELECT
      count(*)
    FROM VALUES
      (1L, 30L),
      (2L, 10L),
      (3L, 20L) AS rows_2(k, v)
    WHERE
      v > rows.v
  ) AS n,
  k
FROM VALUES
  (1L, 30L),
  (2L, 10L),
  (3L, 20L) AS rows(k, v)
