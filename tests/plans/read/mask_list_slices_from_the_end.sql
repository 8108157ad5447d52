SELECT
  id,
  CASE
    WHEN tags IS NOT NULL
    THEN concat(
      slice(
        tags,
        greatest(size(tags) - 2, 0) + 1,
        greatest(greatest(size(tags) - 1, 0) - greatest(size(tags) - 2, 0), 0)
      ),
      array(get(tags, 0))
    )
  END AS tags
FROM people
