SELECT
  count(*) AS groups
FROM (SELECT 1) AS l_agg
