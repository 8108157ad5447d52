SELECT id AS bike_id, kind, bought, year(bought) AS bought_in
FROM {{ source('yard', 'raw_bikes') }}
WHERE kind <> 'scrap'
