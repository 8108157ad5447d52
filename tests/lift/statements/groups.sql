SELECT city, count(*) AS n, sum(wage) AS s, avg(age) AS a, min(name) AS lo, max(born) AS hi FROM people GROUP BY city

SELECT count(*), count(city), count(DISTINCT city), sum(age) FILTER (WHERE age > 30) FROM people

SELECT age % 2 AS odd, count(*) AS n FROM people GROUP BY odd HAVING n > 1

SELECT city AS c, age % 3, count(*) FROM people GROUP BY 1, 2

SELECT city, upper(city) AS u, count(*) AS n FROM people GROUP BY ALL

SELECT age + 1 + 1 AS x, count(*) AS n FROM people GROUP BY age + 1

SELECT 1 + age AS x FROM people GROUP BY age + 1

SELECT city FROM people GROUP BY city HAVING count(*) > 1

SELECT count(*) FROM people HAVING count(*) > 100

SELECT sum(age) AS age FROM people GROUP BY city HAVING sum(age) > 50

SELECT city, age % 2 AS odd, count(*) AS n FROM people GROUP BY ROLLUP (city, odd)

SELECT city, age % 2 AS odd, sum(wage) AS s FROM people GROUP BY CUBE (city, odd)

SELECT city, age % 2 AS odd, count(*) AS n, grouping(city) AS g, grouping_id() AS i FROM people GROUP BY GROUPING SETS ((city), (odd), ())

SELECT city, age, count(*) FROM people GROUP BY city, age WITH ROLLUP

SELECT city, age % 2 AS odd, count(*) FROM people GROUP BY city, ROLLUP (odd)

SELECT city, count(*) AS n FROM people WHERE FALSE GROUP BY ROLLUP (city)

SELECT count(*) AS n FROM people WHERE FALSE GROUP BY GROUPING SETS ((), ())

SELECT count(*) AS n FROM people WHERE FALSE GROUP BY GROUPING SETS (())

SELECT a, b, count(*) AS n FROM (SELECT city AS a, city AS b FROM people WHERE FALSE) GROUP BY CUBE (a, b)

SELECT if(age > 30, city, 'x') AS c, grouping(city) AS g FROM people, orders GROUP BY GROUPING SETS ((city, age))

SELECT transform(arr, x -> x + 1) AS y FROM nested GROUP BY transform(arr, z -> 1 + z)

SELECT city, map('a', age) AS m FROM people GROUP BY ALL

SELECT max(s).a AS a, collect_list(s)[0].b IS NULL AS b FROM nested WHERE s.a = 1

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY -3) AS p FROM people

-- order: 1, 2
SELECT city, sum(age) AS s FROM people GROUP BY city ORDER BY count(*) DESC, city

-- order: 1
SELECT city FROM people GROUP BY city ORDER BY sum(wage) DESC NULLS LAST, city

SELECT stddev(age) AS a, variance(age) AS b, corr(age, wage) AS c, bool_and(age > 10) AS d, approx_count_distinct(city) AS e FROM people

SELECT sort_array(collect_list(age)) AS a, sort_array(collect_set(city)) AS b, max_by(name, age) AS c FROM people

SELECT count(*) FROM people WHERE FALSE

SELECT sum(wage), avg(wage) FROM people WHERE wage > 1e9

-- error: SS5003
SELECT city, age FROM people GROUP BY city

-- error: SS5003
SELECT sum(count(*)) FROM people

-- error: SS5003
SELECT id FROM people WHERE count(*) > 1

-- error: SS5003
SELECT city FROM people GROUP BY sum(age)

SELECT city, age, count(*) AS n FROM people GROUP BY city, age GROUPING SETS (city, age, ())

SELECT city, age, grouping_id(city, age) AS g FROM people GROUP BY city, age GROUPING SETS (city)

SELECT city, grouping__id FROM people GROUP BY id % 2, city GROUPING SETS (city, ())

-- error: SS5003
SELECT grouping_id(age, city) FROM people GROUP BY CUBE(city, age)

-- error: SS5003
SELECT city FROM people GROUP BY ROLLUP(city, ())

-- error: SS5001
SELECT city FROM people GROUP BY ROLLUP(city), age GROUPING SETS (city)

SELECT count(*) AS n, all FROM (SELECT city AS all, id FROM people) GROUP BY all

-- error: SS5003
SELECT id FROM (SELECT city AS all, id FROM people) GROUP BY all

-- error: SS5003
SELECT age + 1 AS x, x * 2 AS y FROM people GROUP BY age, y

-- error: SS5003
SELECT age + 1 AS x, x * 2 AS y FROM people GROUP BY ALL

SELECT age + 1 AS x, x AS y FROM people GROUP BY x ORDER BY age + 1

SELECT count(age) AS n, sum(id) + n AS s FROM people GROUP BY ALL

SELECT NOT (age IS NULL) AS x, NOT (id > 2) AS y, count(*) AS n FROM people GROUP BY age IS NULL, id > 2

SELECT city, count(*) AS n FROM people WHERE id > 100 GROUP BY ROLLUP(city)

SELECT count(*) AS n FROM people WHERE id > 100 GROUP BY GROUPING SETS ((), ())

SELECT count(*) AS n FROM people WHERE id > 100 GROUP BY GROUPING SETS (())

SELECT age, city, grouping_id(age, city) AS g, sum(id) AS s FROM people GROUP BY CUBE(age, city)

-- error: SS5007
SELECT city, count(*) OVER () AS n FROM people GROUP BY ROLLUP(city) HAVING city IS NOT NULL

SELECT city, count(*) OVER () AS n FROM people GROUP BY ROLLUP(city) HAVING sum(age) > 30

SELECT city, count(*) OVER () AS n FROM (SELECT city FROM people GROUP BY ROLLUP(city)) WHERE city IS NOT NULL

SELECT avg(v) AS a, sum(v) AS s, sum(v) / 3 AS q, max(v) AS m FROM (SELECT CAST(0 AS DECIMAL(12,1)) AS v FROM people) AS z

SELECT sum(w) / 3 AS q, avg(w) AS a FROM (SELECT w FROM (SELECT CAST(3 AS DECIMAL(5,1)) AS w FROM people LIMIT 2) AS y) AS z

SELECT sum(x) / 3 AS q, max(x) / 7 AS r
FROM (SELECT CASE WHEN age > 30 THEN CAST(1 AS DECIMAL(12,1)) ELSE CAST(0 AS DECIMAL(12,1)) END AS x FROM people) AS z

SELECT v, w, count(*) AS n FROM (SELECT 3 AS v, CAST(9 AS DECIMAL(5,1)) AS w FROM people) AS z GROUP BY v, w

SELECT age FROM (SELECT age, 7 AS v FROM people) AS z ORDER BY v

SELECT collect_list(v) AS l, first(v) AS f, percentile_approx(v, 0.5) AS p FROM (SELECT CAST(1 AS BIGINT) AS v FROM people) AS z

SELECT id FROM (
  SELECT 1 + 1 AS id, q.m + 1 AS v FROM (SELECT age % 7 AS m FROM people GROUP BY age % 7 HAVING min(name) <> 'x') AS q
  ORDER BY id, v LIMIT 3) AS p

-- error: SS5001
SELECT city, age FROM people GROUP BY city WITH ROLLUP, age

SELECT collect_list(a) AS l, first(a) AS f, last(a) AS z, any_value(a) AS v, sum(b) AS s
FROM (SELECT a, b FROM VALUES (1, 30), (2, 10), (3, 20) AS t(a, b) ORDER BY b DESC)

SELECT k, collect_list(a) AS l, first(a) AS f
FROM (SELECT k, a, b FROM VALUES ('x', 1, 3), ('y', 2, 1), ('x', 3, 2), ('y', 4, 0) AS t(k, a, b) WHERE a > 0 ORDER BY b) AS q
WHERE b >= 0 GROUP BY k

SELECT k, listagg(a, ',') AS l FROM (SELECT k, a FROM VALUES ('x', 'p'), ('y', 'q'), ('x', 'o') AS t(k, a) ORDER BY a) GROUP BY ROLLUP(k)

-- error: SS5003
SELECT 'city', 'city' FROM people GROUP BY ALL HAVING city > 'A'

-- error: SS5003
SELECT mask(name, lowerChar => 'q', lowerChar => 'r') FROM people

SELECT struct(city, age) AS x, count(*) AS n FROM people GROUP BY x

SELECT struct(city, age) AS x, count(*) AS n FROM people GROUP BY 1 HAVING x.age > 20 ORDER BY n, x

SELECT map_entries(map('a', age)) AS x, max(id) AS m FROM people GROUP BY ALL

SELECT array(struct(city)) AS x, sum(id) FROM people GROUP BY x UNION ALL SELECT array(struct('z' AS t)), 1L

SELECT DISTINCT map_entries(map('a', age)) AS x FROM people

SELECT city, age, count(*), sum(DISTINCT id), count(*) FILTER (WHERE id > 2) FROM people GROUP BY city, age, CUBE (city, age)

SELECT city, age, count(DISTINCT id) FROM people GROUP BY GROUPING SETS ((city, age), (city), (age, city), ()) HAVING count(*) > 0

SELECT city, count(*) FROM people WHERE id > 100 GROUP BY GROUPING SETS ((city), (city), (), ())

SELECT count(*) FROM people WHERE id > 100 GROUP BY GROUPING SETS ((), ())

SELECT city, age, count(*), grouping_id() FROM people GROUP BY city, age, ROLLUP (city, age)

-- error: SS5003
SELECT city, count(*) FROM people GROUP BY city, ROLLUP (city) HAVING grouping(city) = 0

-- error: SS5003
SELECT city, count(*) FROM people GROUP BY GROUPING SETS ((city), (city)) ORDER BY grouping(city)

-- error: SS5001
SELECT count(*) FROM people GROUP BY ()

SELECT coalesce(age, -1) AS w FROM people GROUP BY ROLLUP (age) HAVING w < 30

SELECT n FROM (SELECT age, count(*) AS n FROM people GROUP BY ROLLUP (age)) WHERE abs(age) < 40

-- error: SS5003
SELECT count(*) FROM people GROUP BY ROLLUP (age) HAVING abs(age) < 40

-- error: SS5003
SELECT city FROM people GROUP BY CUBE (city, age) HAVING grouping(age) = 1

-- error: SS5003
SELECT count(*) AS age FROM people GROUP BY city ORDER BY max(age)

-- error: SS5003
SELECT city AS c, count(c) FROM people GROUP BY city

-- error: SS5003
SELECT * FROM people GROUP BY id, name, age, city, wage, born, 1

-- error: SS5003
SELECT struct(*) FROM people GROUP BY struct(*)

-- error: SS5003
SELECT id % 2 AS m, max(age) AS x, x + 1 FROM people GROUP BY ALL

-- error: SS5003
SELECT city, sum(age) OVER () FROM people GROUP BY ALL

SELECT first_value(age) IGNORE NULLS, last_value(age) RESPECT NULLS, array_agg(age) RESPECT NULLS FROM people WHERE id = 1

-- error: SS5001
SELECT max(age IGNORE NULLS) AS m FROM people

-- error: SS5001
SELECT last(age IGNORE NULLS) FILTER (WHERE age > 1) AS l FROM people

-- error: SS5001
SELECT last(age RESPECT NULLS) AS l FROM people

-- error: SS5003
SELECT city FROM people GROUP BY city HAVING max(id) > 1 ORDER BY max(id)

-- error: SS5003
SELECT city, count(*) + 1 AS n FROM people GROUP BY city HAVING count(*) > 0 ORDER BY count(*)

-- error: SS5003
SELECT count(*) FROM people GROUP BY city HAVING city > 'A' ORDER BY max(age)

-- order: 1
SELECT city FROM people GROUP BY city HAVING city > 'A' ORDER BY max(age)

SELECT city, count(*) AS n FROM people GROUP BY city HAVING count(1) > 0 ORDER BY min(age), city

SELECT k, grouping_id() AS g, CASE grouping_id() WHEN 1 THEN 'p' WHEN 0 THEN 'q' END AS h, grouping_id() + 1 AS n, count(*) AS c
FROM VALUES ('a', 1), ('b', 2), ('a', 3) AS v(k, x) GROUP BY ROLLUP (k)

SELECT k, CASE grouping_id() WHEN 1 THEN max(x) WHEN 7 THEN 0 ELSE -1 END AS h
FROM VALUES ('a', 1), ('b', 2), ('a', 3) AS v(k, x) GROUP BY GROUPING SETS ((k), (), (k))

SELECT k, sum(x) AS s FROM (SELECT x, x + 1 AS k FROM VALUES (1), (2), (2) AS v(x))
GROUP BY ROLLUP (k) HAVING sum(x) > 1 AND (k IS NULL OR k > 2)

SELECT window.start AS s, window.end AS e, count(*) AS n, max(id) FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY window(b, '365 days') ORDER BY s

SELECT window.end AS e, city, count(*) AS n FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY city, window(b, '3650 days', '1825 days') HAVING count(*) > 0 ORDER BY e, city

SELECT count(*), sum(n) FROM (SELECT window.start, count(*) AS n FROM (SELECT CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY window(b, '1 day'))

SELECT window.start FROM (SELECT named_struct('start', 1) AS window, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY window(b, '5 minutes'), window

-- error: SS5004
SELECT window.nope FROM (SELECT CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY window(b, '5 minutes')

SELECT city, count(*) AS n FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY city, window(b, '3650 days') ORDER BY window.start DESC, city

SELECT max(id) AS m FROM (SELECT *, CAST(born AS TIMESTAMP_NTZ) AS b FROM people) GROUP BY window(b, '3650 days', '1825 days') HAVING window.start > TIMESTAMP_NTZ '1985-01-01 00:00:00' AND count(*) > 1 ORDER BY m

SELECT window, -max(id) AS m FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY window(b, '3650 days') HAVING window.end IS NOT NULL ORDER BY window DESC

SELECT -max(id) AS window FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY window(b, '3650 days') HAVING window.end IS NOT NULL ORDER BY window

SELECT -max(id) AS m FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY window(b, '3650 days') ORDER BY window

SELECT city, row_number() OVER (ORDER BY max(id)) AS r FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY city, window(b, '3650 days') QUALIFY window.start IS NOT NULL AND r < 3

-- error: SS5003
SELECT max(id) AS m FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY window(b, '3650 days') ORDER BY window(b, '3650 days').start

-- error: SS5003
SELECT -max(id) AS window FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY window(b, '3650 days') HAVING window < 0

SELECT instr('abcabc', 'b', 2), time_bucket(INTERVAL '1' HOUR, TIMESTAMP '2024-01-01 11:27:00'), to_varchar(X'53', 'hex'), to_varchar(X'53', 'utf-8'), ! NULL

-- error: SS5007
SELECT reflect('java.util.UUID', 'randomUUID')

SELECT city, count(*) AS n FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY city, window(b, '3650 days') HAVING window.start IS NOT NULL ORDER BY window.end DESC, city

SELECT city, count(*) AS n, sum(count(*)) OVER (PARTITION BY city) AS c FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY city, window(b, '3650 days') ORDER BY window.end DESC, city

SELECT city, count(*) AS n FROM (SELECT *, CAST(born AS TIMESTAMP) AS b FROM people) GROUP BY ROLLUP (city, window(b, '3650 days')) ORDER BY city, window.start, n

SELECT zip_with(array_prepend(arr, 9), arr, (x, y) -> x + y) AS z, count(*) AS n FROM nested GROUP BY zip_with(array_prepend(arr, 9), arr, (x, y) -> y + x)

SELECT transform(arr, x -> exists(arr, y -> y = x AND x > y + 1)) AS z, count(*) AS n FROM nested GROUP BY transform(arr, x -> exists(arr, y -> x > y + 1 AND x = y))

SELECT c, grouping(c), count(*) FROM (SELECT map(city, struct(1 AS k, city AS v)) AS c FROM people WHERE city IS NOT NULL)
GROUP BY ROLLUP (c) HAVING grouping(c) = 1 OR count(*) > 1

SELECT n, grouping(n), count(*) FROM (SELECT id AS q FROM people UNION SELECT age FROM people) AS z(n)
GROUP BY ROLLUP (n) HAVING grouping(n) = 1 OR count(*) > 1

SELECT n, count(*) FROM (
  SELECT x.* FROM people JOIN LATERAL (SELECT p.id FROM people p WHERE p.id = people.id INTERSECT SELECT q.id FROM people q WHERE q.id >= people.id) AS x
) AS z(n) GROUP BY ROLLUP (n) HAVING grouping(n) = 1 OR count(*) > 1

SELECT id > 2 AS late, count(*) AS n FROM people GROUP BY id > 2, CASE WHEN (SELECT count(*) FROM (SELECT p.* FROM people AS p)) > 0 THEN 1 END

SELECT city, count(*) AS n FROM people GROUP BY city HAVING sum(age) % 2

SELECT age FROM people GROUP BY age HAVING age - 30

SELECT city FROM people GROUP BY city HAVING CASE WHEN max(age) > 40 THEN 'true' ELSE 'no' END

SELECT city, avg(wage) AS w FROM people GROUP BY city HAVING avg(wage) * 0.0

SELECT count(*) FROM people HAVING (SELECT 0)

SELECT city, age, count(*) FROM people GROUP BY ROLLUP (city, age) HAVING grouping_id()

-- error: SS5003
-- spark: DATATYPE_MISMATCH
SELECT city FROM people GROUP BY city HAVING max(born)

-- error: SS5003
-- spark: DATATYPE_MISMATCH
SELECT city FROM people GROUP BY city HAVING max(age) OR TRUE

-- fails: CAST_INVALID_INPUT
SELECT city FROM people GROUP BY city HAVING max(name)
