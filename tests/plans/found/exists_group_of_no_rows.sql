SELECT
  id
FROM dept
WHERE
  EXISTS(
    SELECT
      1
  )
