SELECT
  a,
  EXISTS(
    SELECT
      1
    FROM r
  ) AS m
FROM l
