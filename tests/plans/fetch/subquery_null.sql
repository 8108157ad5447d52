SELECT
  id
FROM (
  SELECT
    id,
    row_number() OVER (ORDER BY id NULLS LAST) AS row_number
  FROM emp
) AS emp_ranked
WHERE
  row_number > coalesce((
    SELECT
      max(CAST(NULL AS BIGINT))
    WHERE
      FALSE
  ), 0)
  AND row_number - coalesce((
    SELECT
      max(CAST(NULL AS BIGINT))
    WHERE
      FALSE
  ), 0) <= coalesce((
    SELECT
      max(CAST(NULL AS BIGINT))
    WHERE
      FALSE
  ), 9223372036854775807)
ORDER BY
  id NULLS LAST
