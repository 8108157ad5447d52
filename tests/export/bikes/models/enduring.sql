WITH counted AS (SELECT rider_id, count(*) AS n FROM {{ ref('long_trips') }} GROUP BY rider_id)
SELECT r.rider, c.n FROM counted AS c JOIN {{ ref('riders') }} AS r USING (rider_id)
WHERE c.n >= (SELECT avg(n) FROM counted)
