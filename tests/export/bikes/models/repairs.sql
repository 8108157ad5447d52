SELECT bike AS bike_id, sum(cost) AS cost, count(*) AS times, max(day) AS last_day
FROM {{ source('yard', 'raw_repairs') }}
GROUP BY bike
