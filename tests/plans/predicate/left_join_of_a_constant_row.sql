SELECT
  rows_part.x,
  r_part.k,
  r_part.b
FROM (
  SELECT
    2L AS x
) AS rows_part
LEFT JOIN LATERAL (
  SELECT
    k,
    b
  FROM (
    SELECT
      k,
      b,
      EXISTS(
        SELECT
          1
        FROM l
        WHERE
          l.k < r_rows.x
      ) AS value
    FROM (
      SELECT
        r.k,
        r.b,
        rows_part.x
      FROM r
    ) AS r_rows
  ) AS r_part_2
  WHERE
    value
) AS r_part
  ON TRUE
