SELECT
  'one' AS word
FROM l
HAVING
  TRUE
