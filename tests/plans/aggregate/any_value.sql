SELECT
  id,
  any_value(name) AS name
FROM dept
GROUP BY
  id
