SELECT
  id,
  name,
  count(*) AS n,
  CAST(grouping_id() AS INT) AS g
FROM dept
GROUP BY
  GROUPING SETS (
    (id, name),
    (name)
  )
UNION ALL
SELECT
  id,
  name,
  count(*),
  1
FROM dept
GROUP BY
  name,
  id
