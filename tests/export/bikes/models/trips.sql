SELECT t.id AS trip_id, t.rider AS rider_id, t.bike AS bike_id, t.day, t.minutes
FROM {{ source('yard', 'raw_trips') }} AS t
JOIN {{ ref('bikes') }} AS b ON b.bike_id = t.bike
