SELECT
  id,
  get(calls, 0).who AS first,
  get(calls, 1).minutes AS second_minutes,
  try_element_at(calls, -1).minutes AS last_minutes
FROM people
