SELECT p.name, o.item FROM people p JOIN orders o ON p.id = o.person

SELECT p.name, o.item FROM people p LEFT JOIN orders o ON p.id = o.person AND o.price > 10

SELECT p.name, o.item FROM orders o RIGHT JOIN people p ON p.id = o.person

SELECT p.name, o.item FROM people p FULL OUTER JOIN orders o ON p.id = o.person

SELECT name FROM people p LEFT SEMI JOIN orders o ON p.id = o.person

SELECT name FROM people p LEFT ANTI JOIN orders o ON p.id = o.person

SELECT p.id, o.item FROM people p CROSS JOIN orders o

SELECT p.id, o.item FROM people p, orders o WHERE p.id = o.person

SELECT a.id, b.id, c.id FROM people a, people b RIGHT JOIN people c ON b.id = c.id + 1 WHERE a.id < 3

SELECT * FROM (SELECT id, name FROM people) JOIN (SELECT person AS id, item FROM orders) USING (id)

SELECT id, name, item FROM (SELECT id, name FROM people) FULL JOIN (SELECT person AS id, item FROM orders) USING (id)

SELECT * FROM (SELECT id, age FROM people) NATURAL JOIN (SELECT id, name FROM people)

SELECT * FROM (people p JOIN orders o ON p.id = o.person) JOIN (SELECT 1 AS k) x ON x.k = p.id

SELECT p.name, l.n FROM people p, LATERAL (SELECT count(*) AS n FROM orders o WHERE o.person = p.id) l

SELECT p.name, l.item FROM people p LEFT JOIN LATERAL (SELECT item FROM orders o WHERE o.person = p.id) l

SELECT a.name, b.name FROM people a JOIN people b ON a.age = b.age AND a.id < b.id

-- error: SS5003
SELECT id FROM people JOIN orders ON people.id = orders.person AND id = 1 JOIN people x ON TRUE

-- error: SS5003
SELECT * FROM people NATURAL JOIN LATERAL (SELECT id + 1 AS id)

-- error: SS5003
SELECT * FROM people JOIN LATERAL (SELECT id + 1 AS id) USING (id)

-- error: SS5004
SELECT * FROM people p, LATERAL (SELECT * FROM orders o, LATERAL (SELECT p.id + o.person AS x))

-- error: SS5003
SELECT * FROM people p, LATERAL (VALUES (p.id))

-- error: SS5003
SELECT name FROM people ORDER BY name SORT BY name

SELECT name, r.id AS n FROM people, LATERAL range(2) AS r

SELECT name, x FROM people p, LATERAL (SELECT x + 1 AS x FROM explode(array(id, age)) AS e(x) WHERE x < 30)

SELECT /*+ SHUFFLE_HASH(o) */ p.name, o.item FROM people p JOIN orders o ON p.id = o.person AND o.price > 10

SELECT /*+ MERGE(p) */ p.name, o.item FROM people p FULL JOIN orders o ON o.person <=> p.id AND o.price > p.age

SELECT /*+ SHUFFLE_HASH(o), MERGE(b), COALESCE(1) */ p.name FROM people p LEFT ANTI JOIN orders o ON p.id = o.person
  LEFT JOIN people b ON b.id = p.id

SELECT /*+ REPARTITION(3, person) */ DISTINCT person FROM orders

-- order: 1
SELECT /*+ REPARTITION(2, item, n), MERGE(orders) */ person, item, id + 1 AS n FROM orders JOIN people ON id = person
  ORDER BY person LIMIT 3

SELECT x FROM (SELECT /*+ REPARTITION(2) */ id AS x FROM people) AS q WHERE x IN (SELECT /*+ MERGE(o) */ person
  FROM orders o JOIN people p ON o.person = p.id)

-- error: SS5004
SELECT /*+ REPARTITION(nope) */ person FROM orders

-- error: SS5001
SELECT p.id FROM people AS p JOIN people AS q JOIN people AS r ON q.id = r.id ON p.id = q.id

SELECT * FROM people CROSS JOIN (SELECT 1 AS id, 'x' AS tag) USING (id)

-- error: SS5003
SELECT * FROM people NATURAL CROSS JOIN orders

-- error: SS5001
SELECT * FROM people JOIN orders USING (people.id)

-- error: SS5001
SELECT * FROM people JOIN orders ON

SELECT p.id, o.item FROM people p LEFT JOIN orders o ON (7 IN (SELECT person FROM orders)) IS NULL

SELECT p.id, o.item FROM people p LEFT JOIN orders o ON p.id = o.person OR 7 NOT IN (SELECT person FROM orders)

SELECT p.id FROM people p LEFT ANTI JOIN orders o ON (1 + 6 IN (SELECT person FROM orders)) <=> NULL

SELECT p.id, o.item FROM people p FULL JOIN orders o ON coalesce(7 IN (SELECT person FROM orders), p.id = o.person)

-- error: SS5001
SELECT EXISTS (SELECT 1) IS NULL

SELECT * FROM (SELECT 7 AS k) x LEFT JOIN people p ON x.k NOT IN (SELECT person FROM orders)

SELECT * FROM (SELECT k + 3 AS k FROM (SELECT 4 AS k LIMIT 1)) x FULL JOIN (SELECT id FROM people) p
ON NOT (x.k IN (SELECT person FROM orders))

SELECT * FROM (SELECT 7 AS k, 'Ada' AS name) x LEFT JOIN people p ON x.name = p.name AND x.k NOT IN (SELECT person FROM orders)

SELECT * FROM people p RIGHT JOIN (SELECT 7 AS k) x ON p.id = 1 OR x.k NOT IN (SELECT person FROM orders)

SELECT * FROM people p LEFT ANTI JOIN (SELECT 7 AS k) x ON x.k NOT IN (SELECT person FROM orders)

SELECT * FROM (SELECT 7 AS k) x LEFT JOIN people p ON NOT (x.k + p.id IN (SELECT person FROM orders WHERE item = 'hat'))

SELECT * FROM (VALUES (7), (8)) AS x(k) LEFT JOIN people p ON x.k NOT IN (SELECT person FROM orders)

-- error: SS5007
SELECT * FROM (SELECT 7 AS k FROM people) x LEFT JOIN people p ON x.k NOT IN (SELECT person FROM orders)

SELECT * FROM (SELECT 7 AS k FROM people) x LEFT JOIN people p ON x.k NOT IN (SELECT id FROM (VALUES (1)) AS v(id))

SELECT x.k IN (SELECT id FROM people), x.k NOT IN (SELECT id FROM people) FROM (SELECT CAST(NULL AS INT) AS k) x

SELECT o.*, p.* FROM orders o LEFT JOIN (SELECT name AS item, age, id AS person FROM people) p USING (person, item)

SELECT p.*, o.* FROM (SELECT name, id AS person FROM people) p FULL JOIN orders o USING (person)

SELECT p.* EXCEPT (name), struct(p.*) AS s FROM (SELECT name, id AS person FROM people) p RIGHT JOIN orders o USING (person)

SELECT p.id, l.n FROM people p LEFT JOIN LATERAL (SELECT count(*) AS n FROM orders o WHERE o.person = p.id) l ON TRUE

SELECT p.id, l.n FROM people p LEFT JOIN LATERAL (SELECT count(*) AS n FROM orders o WHERE o.person = p.id) l ON l.n > 1

SELECT p.id, l.item FROM people p LEFT JOIN LATERAL (SELECT item FROM orders o WHERE o.person = p.id ORDER BY item LIMIT 1) l ON TRUE

SELECT p.name, l.name FROM people p LEFT JOIN LATERAL (SELECT p.name FROM orders o WHERE o.person = p.id) l

SELECT p.name, l.* FROM people p LEFT JOIN LATERAL (SELECT p.* FROM orders o WHERE o.person = p.id AND o.price > 10) l ON TRUE

SELECT p.name, l.name FROM people p LEFT JOIN LATERAL (SELECT DISTINCT name FROM (SELECT p.name FROM orders o WHERE o.person = p.id)) l

SELECT p.name, l.name, m.name FROM people p LEFT JOIN LATERAL (SELECT p.name FROM orders o WHERE o.person = p.id) l LEFT JOIN LATERAL (SELECT l.name FROM orders o WHERE o.price > 10 AND o.person = p.id) m

SELECT p.id, l.id FROM people p LEFT JOIN LATERAL (SELECT p.id FROM orders o ORDER BY item, o.price LIMIT 1) l ON l.id > 2

SELECT p.id, (SELECT max(l.id) FROM (SELECT p.id FROM orders o WHERE o.person = p.id) l) AS m FROM people p

SELECT p.name FROM people p WHERE EXISTS (SELECT l.name FROM (SELECT p.name, o.item FROM orders o) l WHERE l.item = l.name OR l.name < 'C')

SELECT p.name, l.name FROM people p LEFT JOIN LATERAL (SELECT o.item AS name FROM orders o WHERE o.person = p.id UNION ALL SELECT p.name FROM orders o WHERE o.price > 10 AND o.person = p.id) l

SELECT * FROM people LEFT JOIN orders ON (id IN (SELECT person FROM orders)) <=> true

SELECT * FROM (SELECT 1 AS x) AS a LEFT JOIN (SELECT 2 AS y) AS b ON (x IN (SELECT CAST(NULL AS INT) AS c)) <=> true AND y = 2

SELECT p.id, o.item FROM people p LEFT JOIN orders o ON p.id = o.person AND p.age + CAST(NULL AS INT) NOT IN (SELECT person FROM orders WHERE person < 3)

SELECT p.id, o.item FROM people p FULL JOIN orders o ON p.id = o.person AND (o.person > 1 OR abs(o.person * NULL) NOT IN (SELECT person FROM orders WHERE person < 3))

SELECT p.id FROM people p LEFT ANTI JOIN orders o ON p.id < 4 OR o.person - NULL NOT IN (SELECT person FROM orders WHERE person > 100)

-- error: SS5007
SELECT p.id FROM people p LEFT JOIN orders o ON p.id = o.person AND coalesce(p.age, NULL) NOT IN (SELECT person FROM orders)

SELECT p.id, positional.item, q.id AS join, named_struct('join', p.age).join FROM people p JOIN orders positional LEFT JOIN people q RIGHT OUTER JOIN orders o ON q.id = o.person AND positional.person = p.id

SELECT * FROM people p LEFT SEMI JOIN orders o JOIN people q LEFT ANTI JOIN orders r CROSS JOIN orders s ON s.person = q.id

-- error: SS5001
SELECT * FROM people p JOIN orders o JOIN people q ON q.id = o.person ON o.person = p.id

-- error: SS5001
SELECT * FROM people p LEFT JOIN orders o JOIN people q USING (id) USING (id)
