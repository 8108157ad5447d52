SELECT
  id,
  name
FROM dept
WHERE
  name IN (
    SELECT
      'dev' AS value
  )
