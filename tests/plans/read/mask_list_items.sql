SELECT
  id,
  IF(tags IS NULL, NULL, array(get(tags, 1), get(tags, 0))) AS tags
FROM people
