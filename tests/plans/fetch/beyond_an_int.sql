SELECT
  id
FROM (
  SELECT
    id,
    count(*) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS count
  FROM emp
) AS emp_ranked
WHERE
  count > 4 AND count <= 1099511627780
ORDER BY
  id
