SELECT r.zone, month(t.day) AS month, count(*) AS trips, avg(t.minutes) AS mean_minutes
FROM {{ ref('trips') }} AS t JOIN {{ ref('riders') }} AS r ON r.rider_id = t.rider_id
GROUP BY ROLLUP (r.zone, month(t.day))
