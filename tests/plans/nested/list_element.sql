SELECT
  id,
  get(tags, 0) AS first,
  get(tags, 2) AS third,
  try_element_at(tags, -1) AS last,
  try_element_at(tags, -3) AS before
FROM people
