SELECT
  x
FROM (
  SELECT
    1L AS x
) AS rows_part
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM (
      SELECT
        EXISTS(
          SELECT
            1
          FROM l
          WHERE
            l.k < r_rows.x
        ) AS value
      FROM (
        SELECT
          rows_part.x
        FROM r
      ) AS r_rows
    ) AS r_part
    WHERE
      value
  )
