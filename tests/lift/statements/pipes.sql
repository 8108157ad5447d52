FROM people |> AGGREGATE listagg(name, ',') WITHIN GROUP (ORDER BY name DESC) AS names, count(*) GROUP BY city

FROM people |> AGGREGATE listagg(name) WITHIN GROUP (ORDER BY id)

FROM people |> WHERE age > 29 |> SELECT name, age + 1 AS next

-- order: 1 2
FROM people p |> AGGREGATE count(*) AS n, max(p.wage) GROUP BY p.city |> ORDER BY n DESC, city |> LIMIT 2

FROM people |> AGGREGATE avg(age) AS mean GROUP BY city IS NULL AS nowhere, 5

TABLE people |> EXTEND age * 2 AS twice, twice + 1 AS more |> SET age = twice, twice = age - 1 |> DROP born, wage

FROM people |> AS p |> LEFT JOIN orders AS o ON p.id = o.person |> WHERE o.item IS NULL OR price > 3 |> SELECT p.name, o.item

FROM people |> EXTEND row_number() OVER (PARTITION BY city ORDER BY id) AS place |> WHERE place = 1 |> SELECT people.name, place

FROM people |> SELECT id, sum(age) OVER w AS s WINDOW w AS (PARTITION BY city) |> WHERE s > 50

-- error: SS5001
FROM people |> EXTEND sum(age) OVER w AS s WINDOW w AS (PARTITION BY city) |> WHERE s > 50

VALUES (1, 'x'), (2, 'y') AS v(a, b) |> WHERE v.a = 2 |> UNION ALL (SELECT 9, 'z') |> EXTEND upper(b) AS big

(SELECT id FROM people WHERE city = 'Rome') |> EXTEND id % 2 AS odd |> EXCEPT (SELECT 1, 1)

WITH rich AS (FROM people |> WHERE wage > 10) FROM rich |> INTERSECT TABLE rich |> SELECT name

SELECT name FROM people p WHERE EXISTS (FROM orders |> WHERE person = p.id AND price > 5)

FROM people |> SELECT id, age |> UNPIVOT (n FOR which IN (id, age)) |> AGGREGATE sum(n) GROUP BY which

FROM people |> PIVOT (count(*) FOR city IN ('Rome', 'Oslo' AS north)) |> SELECT name, Rome, north

FROM people |> JOIN LATERAL (SELECT people.id + person AS both FROM orders) |> ORDER BY both |> LIMIT 3 |> SELECT both

FROM people |> SELECT DISTINCT city |> WHERE city > 'B' UNION ALL (SELECT 'end') ORDER BY city

-- error: SS5004
FROM people |> DROP nothing

-- error: SS5003
FROM people |> EXTEND sum(age) AS total

-- error: SS5003
FROM people |> AGGREGATE city GROUP BY city

-- error: SS5001
FROM people |> ORDER BY id LIMIT 1

-- error: SS5001
FROM people |> AGGREGATE sum(age) GROUP BY ROLLUP (city)

-- error: SS5001
SELECT id FROM people ORDER BY id |> WHERE id = 1

-- error: SS5003
FROM people |> UNION ALL (SELECT 1)

-- error: SS5007
FROM people |> TABLESAMPLE (10 PERCENT)

-- error: SS5001
FROM people |> SELECT id FROM orders

-- error: SS5001
FROM people |> SET people.age = 1

-- error: SS5003
FROM people |> ORDER BY name SORT BY name

-- error: SS5003
FROM people |> AGGREGATE GROUP BY ()

WITH old AS (SELECT * FROM people WHERE age > 28) TABLE old |> SELECT name

FROM (SELECT id, struct(name AS n, age AS a) AS s FROM people) AS q |> DROP s.n |> SELECT id, s.a

FROM people AS p |> DROP p.age, p.city |> WHERE p.id < 4

-- order: 1
FROM people |> SELECT id, age |> ORDER BY age DESC ORDER BY id

-- error: SS5001
FROM people |> ORDER BY age ORDER BY id ORDER BY name

-- error: SS5004
FROM people |> SELECT id AS age |> WHERE people.age = 1

-- error: SS5004
FROM people AS a |> SELECT id AS id |> WHERE a.id = 1

-- error: SS5004
FROM people AS a |> AGGREGATE count(*) GROUP BY id AS id |> WHERE a.id = 1

FROM people AS a |> SELECT id AS id, name |> SELECT a.name

FROM people AS a |> EXTEND id AS j |> WHERE a.id = 1

FROM people |> FULL JOIN (SELECT person AS id, item FROM orders) AS o USING (id) |> EXTEND 1 AS one |> SELECT people.*, o.*, one

FROM people |> LEFT JOIN (SELECT person AS id, item FROM orders) AS o USING (id) |> SELECT name, item |> WHERE o.id IS NULL

FROM people |> LEFT JOIN (SELECT person AS id, item FROM orders) AS o USING (id) |> DROP city |> SET age = 1 |> WHERE o.id = 1

SELECT id, name AS n FROM people WHERE id > 1 |> WHERE people.id < 4 |> SELECT people.id, n

(SELECT city, count(*) AS n FROM people GROUP BY city) |> WHERE people.city = 'Rome'

-- error: SS5004
SELECT id AS n FROM people |> SELECT people.id

-- error: SS5004
SELECT id AS ID FROM people |> SELECT people.id
