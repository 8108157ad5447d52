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

-- error: SS5007
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r
