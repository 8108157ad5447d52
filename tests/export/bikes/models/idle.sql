SELECT bike_id, kind FROM {{ ref('bikes') }} AS b
WHERE NOT EXISTS (SELECT 1 FROM {{ ref('trips') }} AS t WHERE t.bike_id = b.bike_id)
UNION ALL
SELECT bike_id, 'repaired' FROM {{ ref('repairs') }} WHERE times > 1
