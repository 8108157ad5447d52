SELECT id AS rider_id, upper(name) AS rider, coalesce(zone, 'none') AS zone
FROM {{ source('yard', 'raw_riders') }}
