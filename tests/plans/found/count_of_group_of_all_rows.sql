SELECT
  count(*) AS groups
FROM (
  SELECT
    1
  FROM l
  HAVING
    TRUE
) AS l_agg
