SELECT
  'one' AS word
FROM l
WHERE
  k = 99
HAVING
  TRUE
