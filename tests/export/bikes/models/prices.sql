SELECT trip_id, rider_id, bike_id, day,
  CAST(CASE WHEN minutes <= 10 THEN 1.5 ELSE 1.5 + (minutes - 10) * 0.1 END AS DECIMAL(8, 2)) AS price
FROM {{ ref('trips') }}
