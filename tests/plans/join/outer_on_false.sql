SELECT
  rows_part.x,
  rows_part_2.y
FROM (
  SELECT
    1L AS x
) AS rows_part
FULL JOIN (
  SELECT
    1L AS y
) AS rows_part_2
  ON FALSE
