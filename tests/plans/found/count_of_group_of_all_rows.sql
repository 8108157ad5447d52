SELECT
  count(*) AS groups
