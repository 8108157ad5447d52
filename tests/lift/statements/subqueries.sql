-- error: SS5004
SELECT id + 1 AS c2, (SELECT max(person) FROM orders WHERE person < c2) AS x FROM people

-- error: SS5004
FROM people |> EXTEND id + 1 AS c2, EXISTS (SELECT 1 FROM orders WHERE person = c2) AS x

SELECT id + 1 AS c2, c2 + (SELECT max(person) FROM orders WHERE person = id) AS x, c2 * 2 AS y FROM people

SELECT id + 1 AS c2 FROM people GROUP BY id HAVING EXISTS (SELECT 1 FROM orders WHERE person = c2)

SELECT name, (SELECT max(price) FROM orders) AS top FROM people

SELECT name, (SELECT sum(price) FROM orders o WHERE o.person = p.id) AS spent FROM people p

SELECT name FROM people p WHERE EXISTS (SELECT 1 FROM orders o WHERE o.person = p.id AND o.price > 10)

SELECT name FROM people p WHERE NOT EXISTS (SELECT * FROM orders o WHERE o.person = p.id)

SELECT name FROM people WHERE id IN (SELECT person FROM orders)

SELECT name FROM people WHERE id NOT IN (SELECT person FROM orders WHERE person IS NOT NULL)

SELECT name FROM people WHERE id NOT IN (SELECT person FROM orders)

SELECT name FROM people WHERE (id, age) IN (SELECT person, 30 FROM orders)

SELECT name FROM people WHERE age > (SELECT avg(age) FROM people)

SELECT city FROM people GROUP BY city HAVING sum(age) > (SELECT avg(age) FROM people)

SELECT name, id IN (SELECT person FROM orders WHERE person IS NOT NULL) AS buys FROM people

SELECT name FROM people p WHERE age = (SELECT max(age) FROM people q WHERE q.city = p.city)

WITH big AS (SELECT * FROM orders WHERE price > 5) SELECT count(*) FROM big

WITH big AS (SELECT * FROM orders WHERE price > 5) SELECT a.item, b.item FROM big a JOIN big b ON a.person = b.person

WITH a(x) AS (SELECT id FROM people), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM b WHERE y > 2

SELECT * FROM (WITH x AS (SELECT 1 AS one) SELECT one FROM x)

SELECT t.n FROM (SELECT city, count(*) AS n FROM people GROUP BY city) AS t WHERE t.n > 1

-- error: SS5003
SELECT (SELECT id, name FROM people) FROM orders

WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r

SELECT name, age IN (SELECT age FROM people WHERE city IS NULL OR age IS NULL) AS x FROM people

SELECT name, age NOT IN (SELECT age FROM people WHERE id > 3) AS x, (id, age) NOT IN (SELECT id, age FROM people) AS y FROM people

SELECT name FROM people WHERE (age IN (SELECT age FROM people WHERE id > 4)) IS NULL

SELECT city, max(age) IN (SELECT age FROM people) AS x FROM people GROUP BY city

SELECT name FROM people p WHERE id IN (SELECT person FROM orders o WHERE o.price > p.age) OR age NOT IN (SELECT age FROM people)

SELECT CASE WHEN age NOT IN (SELECT age FROM people WHERE id < 3) THEN 1 ELSE 2 END AS x FROM people

SELECT NOT (age IN (SELECT age FROM people WHERE id > 3) OR id = 1) AS x FROM people

-- error: SS5004
SELECT name FROM people p WHERE EXISTS (SELECT 1 FROM orders o WHERE EXISTS (SELECT 1 FROM people q WHERE q.id = p.id))

-- error: SS5003
SELECT name FROM people p ORDER BY (SELECT max(price) FROM orders o WHERE o.person = p.id)

-- error: SS5003
SELECT name FROM people p ORDER BY id IN (SELECT person FROM orders)

-- error: SS5003
SELECT name, (SELECT sum(p.age) FROM orders) FROM people p

-- error: SS5003
SELECT (SELECT count(*) + p.age FROM orders) FROM people p

-- error: SS5003
SELECT (SELECT item FROM orders ORDER BY p.age LIMIT 1) FROM people p

-- error: SS5003
SELECT (SELECT max(o.item) FROM orders o LEFT JOIN (SELECT * FROM orders WHERE person = p.id) r ON o.item = r.item) FROM people p

-- error: SS5003
SELECT city, (SELECT max(price) FROM orders WHERE item = city) FROM people GROUP BY city

-- error: SS5003
SELECT * FROM people p JOIN orders o ON p.id = o.person AND p.age = (SELECT max(age) FROM people q WHERE q.id = p.id)

-- error: SS5003
SELECT * FROM people p JOIN orders o ON p.id IN (SELECT id FROM people q WHERE q.id = o.person)

-- error: SS5003
SELECT struct(id, age) IN (SELECT struct(id, age) FROM people) FROM people

SELECT NULL IN (SELECT id FROM people) AS a, CAST(NULL AS INT) NOT IN (SELECT id FROM people) AS b

SELECT NULL IN (SELECT id FROM people WHERE id > 99) AS a, CAST(NULL AS INT) NOT IN (SELECT id FROM people WHERE id > 99) AS b

SELECT id, NULL IN (SELECT person FROM orders WHERE person = people.id) AS a,
  NULL NOT IN (SELECT person FROM orders WHERE person = people.id) AS b,
  CAST(NULL AS INT) NOT IN (SELECT person FROM orders WHERE person > people.id) AS c FROM people

SELECT id FROM people WHERE NULL IN (SELECT person FROM orders WHERE person = people.id) OR id = 1

SELECT age IN (SELECT 1 FROM people) AS a, 7 IN (SELECT age FROM people) AS b FROM people

SELECT city FROM people GROUP BY city HAVING EXISTS (SELECT 1 FROM orders WHERE person = min(people.id))

SELECT city, max(age) AS m FROM people GROUP BY city
HAVING count(*) > (SELECT count(*) FROM orders WHERE price > 10 AND person = sum(DISTINCT people.id)) OR max(age) > 60

-- error: SS5003
SELECT city FROM people GROUP BY city HAVING EXISTS (SELECT 1 FROM orders WHERE person = min(price))

SELECT (SELECT max(item) FROM orders WHERE person = people.id) AS i, count(*) AS n FROM people
GROUP BY (SELECT max(item) FROM orders WHERE person = people.id)

SELECT 2.5 IN (SELECT price FROM orders WHERE person = people.id) AS i, count(*) AS n FROM people
GROUP BY 2.5 IN (SELECT price FROM orders WHERE person = people.id)

SELECT id FROM people GROUP BY id IN (SELECT person FROM orders), id ORDER BY id IN (SELECT person FROM orders), id

-- error: SS5003
SELECT (SELECT max(item) FROM orders WHERE person = people.id) AS i FROM people
GROUP BY (SELECT min(item) FROM orders WHERE person = people.id)

-- error: SS5003
SELECT id FROM people ORDER BY id IN (SELECT person FROM orders)

SELECT id, (SELECT max(aggregate(array(1, 2), 0, (s, x) -> s + x)) FROM orders WHERE person = id) AS a FROM people

-- error: SS5003
SELECT transform(arr, x -> (SELECT max(id) FROM people)) FROM nested

-- error: SS5003
SELECT id FROM people WHERE EXISTS (SELECT item FROM orders WHERE person = id GROUP BY item WITH ROLLUP)

SELECT name, age IN ((SELECT max(price) FROM orders WHERE price < 0)) AS listed FROM people

SELECT name FROM people WHERE id NOT IN ((SELECT min(person) FROM orders))

-- error: SS5003
SELECT id FROM people WHERE named_struct('id', id) IN (SELECT age FROM people)

-- error: SS5001
SELECT id FROM people WHERE name LIKE ANY (SELECT city FROM people)

SELECT a, price, k IN (SELECT age FROM people) AS i FROM (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k)
LEFT JOIN orders ON person = a AND k NOT IN (SELECT age FROM people)

SELECT a, price FROM (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k) FULL JOIN orders ON person = a AND k NOT IN (SELECT age FROM people)

SELECT a, price FROM orders RIGHT JOIN (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k)
ON person = a AND NOT (k IN (SELECT age FROM people) OR item = 'x')

SELECT a FROM (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k) LEFT ANTI JOIN orders ON k NOT IN (SELECT age FROM people)

SELECT a, price FROM orders LEFT JOIN (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k) ON k NOT IN (SELECT age FROM people)

SELECT a, price FROM orders JOIN (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k)
ON k NOT IN (SELECT age FROM people) OR person = a

SELECT a, price FROM orders JOIN (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k)
ON (k NOT IN (SELECT age FROM people) OR a = 1) AND coalesce(k NOT IN (SELECT age FROM people), person = a)

SELECT a, (k IN (SELECT age FROM people)) <> true AS b, (k NOT IN (SELECT age FROM people)) <> true AS c,
(k IN (SELECT age FROM people) OR a = 1) = false AS d, NOT (k IN (SELECT age FROM people) AND a < 3) AS e,
true = (k NOT IN (SELECT age FROM people)) AS f FROM (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k)

SELECT count(*) FILTER (WHERE NOT (k NOT IN (SELECT age FROM people))) AS a,
count_if((k IN (SELECT age FROM people)) <> true) AS b FROM (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k)

SELECT a FROM (VALUES (1, 41), (2, NULL), (3, 99)) AS v(a, k) WHERE (NOT (k IN (SELECT age FROM people))) <> true

-- error: SS5003
SELECT a FROM (VALUES (1, 41)) AS v(a, k) JOIN orders ON k + person NOT IN (SELECT age FROM people)

-- error: SS5007
SELECT a, (k IN (SELECT age FROM people)) <> (1 = 1) AS b FROM (VALUES (1, 41)) AS v(a, k)

SELECT id, (SELECT id) AS a, (SELECT id UNION SELECT id) AS b, (SELECT id WHERE id > 2) AS c FROM people WHERE EXISTS (SELECT id)

SELECT p.id, x.id AS again FROM people p, LATERAL (SELECT id FROM orders WHERE person = p.id ORDER BY id) x

-- error: SS5003
SELECT * FROM people LEFT JOIN orders ON (SELECT id) = person

-- error: SS5003
SELECT id FROM people ORDER BY (SELECT id)

-- error: SS5003
SELECT (SELECT id) AS x, count(*) FROM people GROUP BY id

SELECT x, (SELECT count(*) FROM VALUES (1), (1), (2) AS u(y) GROUP BY y HAVING y = x) AS n FROM VALUES (1), (2), (3) AS v(x)

SELECT x FROM VALUES (1L), (3L) AS v(x) WHERE x IN (SELECT CAST(y AS BIGINT) FROM VALUES (1S), (2S) AS u(y))

SELECT x, m.y FROM (SELECT x, (SELECT named_struct('y', max(u.y), 'z', 1) FROM VALUES (1), (4) AS u(y) WHERE u.y > x) AS m
FROM VALUES (1), (5) AS v(x))

SELECT id + CAST(NULL AS INT) IN (SELECT person FROM orders), abs(-(id * (2 - NULL))) NOT IN (SELECT person FROM orders), CAST(NULL = age AS STRING) IN (SELECT item FROM orders) FROM people

SELECT id + CAST(NULL AS INT) IN (SELECT person FROM orders WHERE price > 1000), id + (SELECT max(person) FROM orders) IN (SELECT person FROM orders), CASE WHEN age > 30 THEN id END IN (SELECT person FROM orders) FROM people

-- error: SS5007
SELECT coalesce(age, NULL) IN (SELECT person FROM orders) FROM people

-- error: SS5007
SELECT CASE WHEN false THEN id END IN (SELECT person FROM orders) FROM people

-- error: SS5007
SELECT CASE WHEN id > 1 THEN CAST(NULL AS INT) END IN (SELECT person FROM orders) FROM people

-- error: SS5003
-- spark: INVALID_ORDERING_TYPE
SELECT id FROM people WHERE map(id, 2) NOT IN (SELECT map(1, 2))

SELECT name FROM people WHERE (SELECT max(age) FROM people) IN (SELECT age FROM people)

SELECT name FROM people WHERE ((SELECT min(id) FROM people)) NOT IN (SELECT id + 1 FROM people)

SELECT name, (SELECT max(age) FROM people) IN (SELECT age FROM people WHERE city IS NULL) AS x FROM people

SELECT city FROM people GROUP BY city HAVING (SELECT max(age) FROM people) IN (SELECT age FROM people)
