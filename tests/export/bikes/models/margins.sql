SELECT b.bike_id, b.kind, coalesce(p.earned, 0) AS earned, coalesce(r.cost, 0) AS cost,
  coalesce(p.earned, 0) - coalesce(r.cost, 0) AS margin
FROM {{ ref('bikes') }} AS b
LEFT JOIN (SELECT bike_id, sum(price) AS earned FROM {{ ref('prices') }} GROUP BY bike_id) AS p
  ON p.bike_id = b.bike_id
LEFT JOIN {{ ref('repairs') }} AS r ON r.bike_id = b.bike_id
