SELECT
  k,
  v
FROM VALUES
  (30L, -1L),
  (10L, 2L),
  (20L, 0L) AS rows(v, k)
WHERE
  (
    SELECT
      count(*)
    FROM VALUES
      (1L, 30L),
      (2L, 10L),
      (3L, 20L) AS rows_2(k, v)
    WHERE
      v > rows.v
  ) > k
