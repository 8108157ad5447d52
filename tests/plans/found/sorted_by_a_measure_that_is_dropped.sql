SELECT
  'one' AS word
