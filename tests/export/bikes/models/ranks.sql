SELECT rider, zone, spent, rank() OVER (PARTITION BY zone ORDER BY spent DESC) AS place
FROM (
  SELECT r.rider, r.zone, sum(p.price) AS spent
  FROM {{ ref('prices') }} AS p JOIN {{ ref('riders') }} AS r ON r.rider_id = p.rider_id
  GROUP BY r.rider, r.zone
)
