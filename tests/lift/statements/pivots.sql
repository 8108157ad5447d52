SELECT * FROM (SELECT city, age, wage FROM people) PIVOT (sum(wage) FOR city IN ('Rome', 'Oslo', 'Paris'))

SELECT * FROM (SELECT city, id, age FROM people) PIVOT (sum(id) AS s, count(*) FOR city IN ('Rome' AS r, 'Oslo', NULL))

SELECT * FROM (SELECT city, id FROM people) PIVOT (count(id) FOR city IN ('Rome', 'Paris'))

SELECT * FROM (SELECT city, name, id FROM people) PIVOT (max(name), count(id), first(id) FOR city IN ('Rome', 'Paris'))

SELECT * FROM (SELECT city, age, id FROM people) PIVOT (sum(id) FOR (city, age) IN (('Rome', 30), ('Oslo', 25) AS o))

SELECT * FROM (SELECT city, id FROM people) PIVOT (coalesce(sum(id), 0) + 1 FOR city IN ('Rome', 'Paris' AS p))

SELECT q.item, `1` FROM orders PIVOT (avg(price) FOR person IN (1, 2)) AS q WHERE `1` > 2

SELECT * FROM people JOIN orders ON id = person PIVOT (sum(price) FOR item IN ('pen', 'ink'))

SELECT * FROM (VALUES (1), (1)) AS d(k), orders PIVOT (sum(price) FOR item IN ('pen', 'ink'))

SELECT * FROM (SELECT id, age, wage FROM people) UNPIVOT (n FOR what IN (age, wage AS pay))

-- An integer goes into a float here, not both into a double.
SELECT * FROM (SELECT 16777217 + id AS i, CAST(id AS BIGINT) AS l, 0.5F AS f FROM people) UNPIVOT (n FOR what IN (i, f, l))

SELECT * FROM (SELECT array(16777217) AS i, array(0.5F) AS f) UNPIVOT ((n, m) FOR what IN ((i, f), (f, f)))

SELECT u.what, u.n FROM (SELECT id, age FROM people) UNPIVOT INCLUDE NULLS (n FOR what IN (id, age)) AS u

SELECT * FROM (SELECT id, age, wage FROM people) UNPIVOT ((a, b) FOR what IN ((id, age), (age, wage) AS second))

-- error: SS5003
SELECT * FROM people UNPIVOT (n FOR what IN (age, name))

-- error: SS5004
SELECT * FROM people PIVOT (sum(id) FOR town IN ('Rome'))

-- error: SS5003
SELECT * FROM people PIVOT (id FOR city IN ('Rome'))

-- error: SS5003
SELECT * FROM people PIVOT (sum(id) FOR (city, age) IN ('Rome'))

-- error: SS5001
SELECT * FROM people PIVOT (sum(id) FOR city)

SELECT * FROM (SELECT age, s FROM (SELECT age, struct(city, id) AS s FROM people)) PIVOT (sum(age) FOR s IN (('Rome', 1), ('Oslo', 2) AS o))

SELECT * FROM (SELECT age, array(id, 2) AS a FROM people) PIVOT (sum(age) FOR a IN (array(1, 2), array(5, 2)))

-- error: SS5001
SELECT * FROM orders JOIN people UNPIVOT (v FOR n IN (id, age)) ON person = v

-- error: SS5003
SELECT * FROM people AS p PIVOT (sum(age) FOR p.city IN ('Rome'))

SELECT * FROM (SELECT age, city FROM people) PIVOT (count(*) AS n, sum(age) AS s FOR city IN (concat('Ro', 'me'), lower('X'), 'Oslo'))

SELECT * FROM (SELECT age, city FROM people) PIVOT (count(*) FOR age IN (1 + 29, cast('25' as int), abs(-61)))

SELECT * FROM (SELECT city, age FROM people) PIVOT (count(*) FOR age IN (30, 25, 99))

SELECT * FROM (SELECT city, age, id FROM people) PIVOT (count(*) AS n, count(id) + 1 AS m FOR age IN (30, 25, 99))

-- error: SS5003
SELECT * FROM (SELECT id, name, city FROM people) PIVOT (count(*) FOR (id, name) IN ((1, 'Ada'), ('2', 'Ben')))

SELECT * FROM (SELECT age, city, id FROM people) PIVOT (count(*) FOR (age, city) IN ((30, 'Rome'), ('25', 'Oslo')))
