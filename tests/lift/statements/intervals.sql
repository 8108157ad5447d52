SELECT TIMESTAMP_NTZ '2020-01-31 00:00:00' + make_interval(0, 1, 0, 1), TIMESTAMP '2020-01-31 00:00:00' - make_interval(0, 1, 0, 1, 1, 0, 4.5)

SELECT make_interval(0, -1, 0, -1, 0, 0, -1) + TIMESTAMP_NTZ '2020-01-31 00:00:00', make_interval(1, 2, 3, 4, 5, 6, 7.5) + CAST(born AS TIMESTAMP) FROM people

SELECT t + make_interval(2), t + make_interval(0, 0, 0, 1), t - make_interval(0, 0, 0, 0, 2), t - make_interval(0, -1, 0, 2), t + make_interval(0, 1 + 1, 0, 1) FROM (SELECT CAST(born AS TIMESTAMP) AS t FROM people)

-- error: SS5007
SELECT CAST(born AS TIMESTAMP) + make_interval(id) FROM people

-- error: SS5007
SELECT CAST(born AS TIMESTAMP) + make_interval(0, 1, 0, 1, 30) FROM people

-- error: SS5007
SELECT CAST(born AS TIMESTAMP) + make_interval(0, 1, 0, -1, 3) FROM people

-- error: SS5007
SELECT born + make_interval(0, 1, 0, 1) FROM people

-- error: SS5007
SELECT CAST(born AS TIMESTAMP) + try_make_interval(0, 1, 0, 1) FROM people

-- error: SS5003
SELECT id + make_interval(0, 1, 0, 1) FROM people

SELECT INTERVAL '25:59:59.5' HOUR TO SECOND, INTERVAL '100:59' MINUTE TO SECOND, INTERVAL '1-11' YEAR TO MONTH || ''

-- error: SS5003
SELECT INTERVAL '0 24' DAY TO HOUR

-- error: SS5003
SELECT INTERVAL '1 23:60' DAY TO MINUTE

-- error: SS5003
SELECT INTERVAL '23:59:60' HOUR TO SECOND

-- error: SS5003
SELECT INTERVAL '1-12' YEAR TO MONTH
