SELECT id FROM people UNION ALL SELECT person FROM orders

SELECT id FROM people UNION SELECT person FROM orders

SELECT id FROM people INTERSECT SELECT person FROM orders

SELECT id FROM people INTERSECT ALL SELECT person FROM orders

SELECT id FROM people EXCEPT SELECT person FROM orders

SELECT person FROM orders EXCEPT ALL SELECT id FROM people

SELECT person FROM orders MINUS SELECT id FROM people

SELECT id, 1.5 AS x FROM people UNION ALL SELECT 2L, 1 UNION ALL SELECT NULL, 0.25

-- error: SS5001
SELECT id AS a, name AS b FROM people UNION ALL BY NAME SELECT item AS b, person AS a FROM orders

-- order: 1
SELECT id FROM people UNION ALL SELECT person FROM orders ORDER BY id NULLS LAST LIMIT 5

(SELECT id FROM people ORDER BY id LIMIT 2) UNION ALL (SELECT person FROM orders WHERE price > 100)

SELECT 1 AS a UNION ALL (SELECT 2 INTERSECT SELECT 2)

-- error: SS5003
SELECT id FROM people UNION ALL SELECT id, name FROM people

-- error: SS5003
SELECT TRUE UNION ALL SELECT 1

WITH RECURSIVE a AS (SELECT id FROM people), b AS (SELECT id + 1 AS id FROM a) SELECT * FROM b

-- error: SS5001
SELECT id FROM people ORDER BY id UNION ALL SELECT person FROM orders

-- error: SS5001
SELECT id FROM people LIMIT 1 EXCEPT SELECT person FROM orders

SELECT a FROM ((SELECT a, b FROM VALUES (1, 10), (2, 5) AS t(a, b) INTERSECT SELECT a, b FROM VALUES (1, 20), (2, 5) AS u(a, b))
  UNION ALL SELECT DISTINCT a, b FROM VALUES (3, 1), (3, 2), (3, 2) AS v(a, b))

WITH q AS (SELECT a, b FROM VALUES (1, 1), (1, 2) AS t(a, b) EXCEPT SELECT 1, 1 UNION ALL SELECT 4, 4)
SELECT x.a, count(*) AS n FROM q AS x JOIN q AS y ON x.a = y.a GROUP BY x.a

SELECT struct(id AS a, name) AS s FROM people UNION SELECT struct(age AS b, city) FROM people

-- error: SS5003
SELECT struct(id AS a) AS s FROM people EXCEPT SELECT struct(age AS b) FROM people

SELECT id FROM (SELECT id, id FROM people UNION ALL SELECT person, person FROM orders)

SELECT named_struct('a', x, 'b', 'p') AS s FROM VALUES (1), (2) AS v(x) UNION ALL SELECT named_struct('a', 3, 'b', 'q')

-- order: 1
SELECT a FROM (SELECT x AS a, 1 AS b FROM VALUES (1), (2) AS v(x) UNION ALL SELECT 7, 8) ORDER BY a DESC LIMIT 2

-- order: 1
SELECT b AS p, b AS q FROM (SELECT x AS a, 1 AS b FROM VALUES (1), (2) AS v(x) UNION SELECT 7, 8) ORDER BY p DESC

-- error: SS5007
FROM people SELECT id UNION SELECT 1

-- error: SS5007
SELECT * FROM (FROM people SELECT city, age + 1 MINUS SELECT 'a', 1) AS q

FROM people SELECT id AS n UNION SELECT 1

FROM people SELECT id UNION DISTINCT SELECT 1

FROM people SELECT id WHERE id > 1 EXCEPT SELECT 2

SELECT id FROM people UNION (FROM people SELECT age UNION ALL SELECT 1)

-- error: SS5007
WITH c AS (SELECT 1) FROM people SELECT id UNION SELECT 1

-- error: SS5007
SELECT 5 UNION ALL FROM people SELECT id EXCEPT SELECT 1

SELECT 5 UNION ALL FROM people SELECT id UNION ALL SELECT extract(YEAR FROM DATE '2024-01-01') UNION SELECT 1
