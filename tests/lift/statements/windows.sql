SELECT city, 5L AS x, min(5L) OVER (ORDER BY city) AS m, rank() OVER (ORDER BY 5L) AS r, 5L + 1 AS z, grouping_id() AS g
FROM people GROUP BY ROLLUP (city, 5L)

SELECT city, lag(city) OVER (ORDER BY city) AS l, nth_value(city, 1) OVER (ORDER BY city) AS n,
  max(sum(age)) OVER (PARTITION BY city) AS s, max(grouping(city)) OVER () AS g FROM people GROUP BY ROLLUP (city)

-- error: SS5003
SELECT city, min(city) OVER () AS m FROM people GROUP BY ROLLUP (city)

-- error: SS5003
SELECT city, count(*) FILTER (WHERE city > 'A') OVER () AS m FROM people GROUP BY CUBE (city)

SELECT name, row_number() OVER (PARTITION BY city ORDER BY age, id) AS r FROM people

SELECT name, rank() OVER (ORDER BY age) AS r, dense_rank() OVER (ORDER BY age) AS d, ntile(2) OVER (ORDER BY age, id) AS n FROM people

SELECT name, sum(age) OVER (PARTITION BY city) AS s, avg(age) OVER () AS a FROM people

SELECT name, sum(age) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM people

SELECT name, count(*) OVER (ORDER BY age RANGE BETWEEN 5 PRECEDING AND 5 FOLLOWING) AS n FROM people

SELECT name, lag(age) OVER (ORDER BY id) AS p, lead(age, 2, 0) OVER (ORDER BY id) AS n FROM people

SELECT name, first_value(name) OVER w AS f, last_value(name) OVER w AS l FROM people WINDOW w AS (PARTITION BY city ORDER BY id)

SELECT city, sum(sum(age)) OVER (ORDER BY city) AS running FROM people GROUP BY city

SELECT name FROM people QUALIFY row_number() OVER (PARTITION BY city ORDER BY id) = 1

SELECT name, row_number() OVER (ORDER BY id) AS r FROM people QUALIFY r <= 2

SELECT percent_rank() OVER (ORDER BY age) AS p, cume_dist() OVER (ORDER BY age) AS c FROM people

-- error: SS5003
SELECT row_number() FROM people

-- error: SS5003
SELECT rank() OVER () FROM people

-- error: SS5003
SELECT id FROM people WHERE rank() OVER (ORDER BY id) = 1

-- error: SS5003
SELECT id FROM people QUALIFY id > 1

-- error: SS5003
SELECT name FROM people ORDER BY row_number() OVER (ORDER BY id)

-- error: SS5003
SELECT max(id) OVER w FROM people WINDOW w AS (ORDER BY id), w AS (ORDER BY age)

-- error: SS5003
SELECT max(id) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED FOLLOWING AND 1 FOLLOWING) FROM people

SELECT name, count(age) FILTER (WHERE age > 28) OVER (PARTITION BY city) AS x, count(*) FILTER (WHERE id > 2) OVER () AS y, sum(age) FILTER (WHERE id > 2) OVER (ORDER BY id) AS z FROM people

-- error: SS5003
SELECT median(age) OVER (PARTITION BY city ORDER BY id) FROM people

-- error: SS5003
SELECT percentile_cont(DISTINCT 0.5) WITHIN GROUP (ORDER BY age) FROM people

SELECT id, count(*) OVER (ORDER BY born RANGE BETWEEN INTERVAL 6 YEAR PRECEDING AND CURRENT ROW) AS n FROM people

SELECT id, count(*) OVER (ORDER BY born DESC RANGE BETWEEN 2000 PRECEDING AND 30 FOLLOWING) AS n FROM people

-- error: SS5003
SELECT id, count(*) OVER (ORDER BY born DESC RANGE BETWEEN 2000 PRECEDING AND INTERVAL '30' DAY FOLLOWING) AS n FROM people

SELECT id, sum(age) OVER (ORDER BY wage RANGE BETWEEN 5.5 PRECEDING AND 10 FOLLOWING) AS s FROM people

SELECT item, count(*) OVER (ORDER BY price NULLS LAST RANGE BETWEEN 1e1 PRECEDING AND 0.5 FOLLOWING) AS n FROM orders

SELECT item, count(*) OVER (ORDER BY CAST(price AS FLOAT) RANGE BETWEEN 10 PRECEDING AND 1 PRECEDING) AS n FROM orders

-- fails: ARITHMETIC_OVERFLOW
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND 4 FOLLOWING) AS n FROM range(9223372036854775804, 9223372036854775807)

SELECT id, lag(city) IGNORE NULLS OVER (ORDER BY id) AS a, lead(age, 2, -1) IGNORE NULLS OVER (ORDER BY id) AS b,
  nth_value(city, 2) IGNORE NULLS OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS c FROM people

SELECT id, percentile_cont(0.25) WITHIN GROUP (ORDER BY age DESC) OVER (PARTITION BY city) AS a,
  percentile_disc(0.7) WITHIN GROUP (ORDER BY wage) FILTER (WHERE age > 25) OVER () AS b FROM people

SELECT sum(age) OVER (w) AS a, sum(sum(age) OVER ()) OVER () AS b FROM people WINDOW w AS (PARTITION BY city)

-- error: SS5001
SELECT sum(age) OVER (w ORDER BY id) FROM people WINDOW w AS (PARTITION BY city)

-- error: SS5001
SELECT sum(age) OVER (ORDER BY id GROUPS 1 PRECEDING) FROM people

-- error: SS5003
SELECT sum(age) OVER (ORDER BY id ROWS BETWEEN 1L PRECEDING AND CURRENT ROW) FROM people

-- error: SS5003
SELECT max(row_number() OVER (ORDER BY id)) FROM people

-- error: SS5003
SELECT city, sum(age) FROM people GROUP BY city QUALIFY rank() OVER (ORDER BY sum(age)) = 1

-- error: SS5003
SELECT city FROM people GROUP BY city HAVING rank() OVER (ORDER BY city) = 1

-- error: SS5003
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) OVER (PARTITION BY city ORDER BY id) FROM people

SELECT name, sum(age) OVER (ORDER BY id ROWS BETWEEN CAST(1L AS INT) PRECEDING AND 3 - 1 FOLLOWING) AS s FROM people

-- error: SS5003
SELECT sum(age) OVER (ORDER BY id ROWS BETWEEN 1L PRECEDING AND CURRENT ROW) AS s FROM people

-- error: SS5003
SELECT count(*) OVER (ORDER BY DATE '2024-01-01' RANGE BETWEEN INTERVAL '1' YEAR PRECEDING AND INTERVAL '1-6' YEAR TO MONTH FOLLOWING) FROM people

-- error: SS5003
SELECT row_number() OVER (ORDER BY id) AS r, count(*) FROM people GROUP BY 1

-- error: SS5003
SELECT age AS a, sum(id) OVER (ORDER BY a) AS s FROM people

-- error: SS5007
SELECT sum(age) OVER (ORDER BY wage * 1D RANGE BETWEEN 'inf' PRECEDING AND CURRENT ROW) AS s FROM people

SELECT age AS x, transform(array(1), x -> x) AS y, sum(element_at(transform(array(id), x -> x), 1)) OVER (ORDER BY age) AS s FROM people

-- error: SS5007
SELECT city, max(age) AS p, count(*) OVER () AS n FROM people GROUP BY ROLLUP (city) HAVING p > 30

SELECT city, max(age) AS p, count(*) OVER () AS n FROM people GROUP BY ROLLUP (city) HAVING p > 30 AND count(*) > 0

SELECT city, max(age) AS p, count(*) OVER () AS n FROM people GROUP BY city HAVING p > 30

-- error: SS5003
SELECT id, count(*) OVER (ORDER BY born RANGE BETWEEN 1S PRECEDING AND CURRENT ROW) AS n FROM people

-- The distance of a RANGE is cast to the type of the key: whole numbers are cut off, decimals rounded.
SELECT id, sum(id) OVER (ORDER BY age RANGE BETWEEN 1.5 PRECEDING AND 9.9 FOLLOWING) AS s FROM people

SELECT id, sum(id) OVER (ORDER BY CAST(id AS DECIMAL(10, 1)) DESC RANGE BETWEEN 1.05 PRECEDING AND 0.99 FOLLOWING) AS s FROM people

SELECT id, sum(id) OVER (ORDER BY age RANGE BETWEEN '1' PRECEDING AND 2L FOLLOWING) FROM people

-- A frame that ends before the current row where it starts has no rows.
SELECT id, count(age) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) AS n, sum(age) OVER (ORDER BY id ROWS -1 PRECEDING) AS s, sum(age) OVER (ORDER BY age RANGE 1 FOLLOWING) AS r FROM people

-- error: SS5003
SELECT sum(age) OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 0 FOLLOWING) AS s FROM people

SELECT id, sum(id) OVER (ORDER BY make_ym_interval(id) RANGE BETWEEN INTERVAL '1' YEAR PRECEDING AND CURRENT ROW) AS s FROM people

SELECT id, lead(age) OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING), lag(age, 2) OVER (ORDER BY id ROWS BETWEEN -2 FOLLOWING AND -2 FOLLOWING), lag(age, 0) OVER (ORDER BY id) FROM people

-- error: SS5003
SELECT lag(age) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING) AS l FROM people

-- error: SS5003
SELECT rank() OVER (ORDER BY id RANGE UNBOUNDED PRECEDING) AS r FROM people

-- error: SS5003
SELECT cume_dist() OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS r FROM people

SELECT id, rank() OVER (ORDER BY id ROWS UNBOUNDED PRECEDING), cume_dist() OVER (ORDER BY id RANGE UNBOUNDED PRECEDING), ntile(1 + 1) OVER (ORDER BY id) FROM people

SELECT id, median(age) OVER (PARTITION BY city ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM people

-- error: SS5003
SELECT median(age) OVER (PARTITION BY city ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS m FROM people

-- error: SS5004
SELECT sum(age) OVER W1 AS s FROM people WINDOW w1 AS (PARTITION BY city)

SELECT sum(age) OVER w AS s, count(*) OVER W AS n FROM people WINDOW w AS (PARTITION BY city), W AS (ORDER BY id)

-- error: SS5001
SELECT lead(age IGNORE NULLS) OVER (ORDER BY id) AS l FROM people

-- error: SS5001
SELECT first(age IGNORE NULLS) OVER (ORDER BY id) AS l FROM people

SELECT id, nth_value(age, 1 + 1) IGNORE NULLS OVER (ORDER BY id), first_value(age) IGNORE NULLS OVER (ORDER BY id), sum(id) OVER (ORDER BY id ROWS BETWEEN -1 FOLLOWING AND 0 FOLLOWING), sum(id) OVER (ORDER BY age RANGE BETWEEN 0 PRECEDING AND (1 + 1) FOLLOWING) FROM people

-- error: SS5003
SELECT lead(age, 1 + 1) OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 2 FOLLOWING) AS l FROM people

SELECT count(*) OVER (ORDER BY born RANGE BETWEEN CURRENT ROW AND INTERVAL '1' DAY PRECEDING) AS n, sum(id) OVER (ORDER BY age RANGE BETWEEN 1.9 FOLLOWING AND 1.1 FOLLOWING) AS s FROM people

SELECT id, ntile(length('ab')) OVER (ORDER BY id), ntile(abs(-3)) OVER (ORDER BY id), lag(id, 2 - 1) OVER (ORDER BY id), lag(id, 1 - 2) OVER (ORDER BY id),
lag(id, length('a')) OVER (ORDER BY id), lead(id, length('a')) OVER (ORDER BY id) FROM people

-- error: SS5003
SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN length('a') PRECEDING AND CURRENT ROW) FROM people

-- error: SS5003
SELECT city, rank() OVER (ORDER BY count(*)) AS r FROM people GROUP BY city ORDER BY count(*)

-- error: SS5003
SELECT city, max(age) FROM people GROUP BY city QUALIFY rank() OVER (ORDER BY city) = 1 ORDER BY max(age)

-- error: SS5003
SELECT city, sum(age) AS age, rank() OVER (ORDER BY city) AS r FROM people GROUP BY city HAVING sum(age) > 1

SELECT city, sum(age) AS age, rank() OVER (ORDER BY city) AS r FROM people GROUP BY city HAVING sum(people.age) > 1

SELECT city, rank() OVER (ORDER BY city) AS name FROM people GROUP BY city HAVING max(name) > 'B'

SELECT sum(x) OVER (ORDER BY s, x) AS t FROM (SELECT x, sum(x) OVER (PARTITION BY x % 2) AS s FROM VALUES (1), (2), (3) AS v(x))

SELECT sum(age) RESPECT NULLS, count(*) RESPECT NULLS, upper(min(name)) RESPECT NULLS, max_by(name, age) RESPECT NULLS FROM people

SELECT id, count_if(age > 30) RESPECT NULLS OVER (ORDER BY id), row_number() RESPECT NULLS OVER (ORDER BY id), lower(name) RESPECT NULLS FROM people

-- error: SS5003
SELECT sum(age) IGNORE NULLS FROM people

-- error: SS5003
SELECT upper(name) IGNORE NULLS FROM people

SELECT last(age) OVER (PARTITION BY city), first(name) OVER (), age, city FROM (SELECT * FROM people WHERE id < 6 ORDER BY city, age, id) s ORDER BY city, age, id

SELECT name, first(age) OVER (PARTITION BY city) AS f, sum(age) OVER (PARTITION BY city) AS s FROM (SELECT * FROM people ORDER BY age DESC)

SELECT city, listagg(name) WITHIN GROUP (ORDER BY name) OVER (PARTITION BY city), listagg(name, ',') WITHIN GROUP (ORDER BY age DESC) OVER () AS l FROM people

SELECT listagg(CAST(name AS BINARY), X'2C') WITHIN GROUP (ORDER BY id) OVER (PARTITION BY city) AS l FROM people

-- error: SS5007
SELECT listagg(name, ',') WITHIN GROUP (ORDER BY age NULLS LAST) OVER () AS l FROM people

-- error: SS5003
SELECT listagg(name, ',') WITHIN GROUP (ORDER BY age) OVER (ORDER BY id) AS l FROM people

SELECT t, sum(v) OVER (ORDER BY t RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CAST(0 AS INTERVAL SECOND) FOLLOWING)
FROM VALUES (TIMESTAMP '2024-01-01 00:00:00', 1), (TIMESTAMP '2024-01-01 00:00:07', 2), (NULL, 4) AS q(t, v)

SELECT t, sum(v) OVER (ORDER BY t RANGE BETWEEN INTERVAL '2' DAY PRECEDING AND INTERVAL '1' DAY PRECEDING)
FROM VALUES (DATE '2024-01-01', 1), (DATE '2024-01-02', 2), (DATE '2024-01-04', 4), (NULL, 8) AS q(t, v)

SELECT i, count(*) OVER (ORDER BY i RANGE BETWEEN 2 PRECEDING AND 1.5 PRECEDING) FROM VALUES (1), (2), (4), (NULL) AS q(i)

SELECT id, sum(id) OVER (ORDER BY age RANGE '1' PRECEDING) FROM people

SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN '2' PRECEDING AND 1 FOLLOWING) AS n FROM people

SELECT x, sum(f) OVER (ORDER BY f) AS s
FROM (SELECT id % 2 AS x, age + 1 AS f, city FROM people GROUP BY id % 2, age + 1, city ORDER BY f, city) AS z

SELECT id, city FROM people QUALIFY row_number() OVER (PARTITION BY city ORDER BY id) - 1

SELECT id, count(city) OVER (PARTITION BY city) AS n FROM people QUALIFY n

SELECT id, row_number() OVER w AS r FROM people ORDER BY id DESC WINDOW w AS (PARTITION BY city ORDER BY id)

SELECT id, sum(id) OVER w AS s, count(*) OVER v AS n FROM people ORDER BY id WINDOW w AS (ORDER BY id), v AS (PARTITION BY city) LIMIT 3 OFFSET 1

SELECT * FROM (SELECT id, sum(id) OVER w AS s FROM people ORDER BY id WINDOW w AS (ORDER BY id DESC) LIMIT 3) AS x UNION ALL (SELECT id, sum(id) OVER w FROM people ORDER BY id WINDOW w AS (ORDER BY id) LIMIT 2)

SELECT id, NOT city IS NULL, row_number() OVER w AS r FROM people SORT BY id WINDOW w AS (ORDER BY NOT city IS NULL, id)

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT id, sum(id) OVER w AS s FROM people ORDER BY id LIMIT 3 WINDOW w AS (ORDER BY id)

SELECT p.id, p.age + 1 AS p, row_number() OVER (PARTITION BY p.age ORDER BY p.name, p.id) AS r FROM people p

SELECT p.id, p.age + 1 AS age, sum(age) OVER (PARTITION BY p.age ORDER BY p.id) AS s FROM people p

-- error: SS5003
SELECT id, struct(age) AS p, row_number() OVER (ORDER BY p.age) AS r FROM people

SELECT id, count(*) OVER (PARTITION BY age IS DISTINCT FROM id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS n,
sum(id) OVER (ORDER BY age IS DISTINCT FROM id RANGE BETWEEN CURRENT ROW AND CURRENT ROW) AS s FROM people

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT id IS DISTINCT FROM rows BETWEEN 1 AND 2 FROM (SELECT id, age AS rows FROM people)

SELECT city, rank() OVER (ORDER BY sum(age), city) AS r, sum(age) - lag(sum(age)) OVER (ORDER BY city) AS d FROM people GROUP BY ALL

SELECT city, age, row_number() OVER (PARTITION BY city ORDER BY count(*), age) AS r FROM people GROUP BY ALL QUALIFY r = 1

SELECT city AS c, rank() OVER w AS r, max(id) + ntile(2) OVER (ORDER BY max(id)) AS n FROM people GROUP BY ALL WINDOW w AS (ORDER BY sum(id))
