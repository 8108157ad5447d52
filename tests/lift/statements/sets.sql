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
