SELECT
  a,
  (
    SELECT
      (
        SELECT
          sum(b)
        FROM VALUES
          (1L),
          (2L),
          (3L) AS rows_2(b)
        WHERE
          b > tc_rows.a
      ) AS sum_b
    FROM (
      SELECT
        rows.a
      FROM tc
    ) AS tc_rows
    EXCEPT
    SELECT
      b
    FROM VALUES
      (1L),
      (2L),
      (3L) AS rows_2(b)
    WHERE
      b > rows.a
  ) AS s
FROM VALUES
  (0L),
  (1L),
  (2L),
  (3L),
  (CAST(NULL AS BIGINT)) AS rows(a)
