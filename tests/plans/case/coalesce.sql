SELECT
  coalesce(b, 0) AS known,
  CASE WHEN b IS NOT NULL THEN k ELSE 0 END AS other,
  CASE WHEN b IS NOT NULL THEN b WHEN k IS NOT NULL THEN k ELSE 0 END AS either,
  k AS same
FROM r
