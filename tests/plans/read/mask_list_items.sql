SELECT
  id,
  CASE WHEN tags IS NOT NULL THEN array(get(tags, 1), get(tags, 0)) END AS tags
FROM people
