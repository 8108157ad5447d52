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
