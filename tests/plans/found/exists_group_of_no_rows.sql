SELECT
  id
FROM dept
WHERE
  EXISTS(
    SELECT
      1
    FROM l
    WHERE
      l.k = 99
    HAVING
      TRUE
  )
