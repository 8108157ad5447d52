SELECT
  a,
  (
    SELECT
      (
        SELECT
          tb.b
        FROM tb
        WHERE
          tb.b > tc_rows.a
      ) AS b
    FROM (
      SELECT
        ta.a
      FROM tc
    ) AS tc_rows
    UNION
    SELECT
      tb.b
    FROM tb
    WHERE
      tb.b > ta.a
  ) AS s
FROM ta
