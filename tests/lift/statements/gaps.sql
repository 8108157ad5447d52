SELECT * EXCEPT (person) FROM (SELECT person, person, item FROM orders) AS x

SELECT * EXCEPT (id, ID) FROM people

SELECT id FROM people WHERE id BETWEEN CASE WHEN TRUE AND id > 0 THEN 1 ELSE 2 END AND 3 AND NOT age BETWEEN 1 AND (2 + 3)

SELECT CASE id BETWEEN 1 AND 2 WHEN TRUE THEN CASE WHEN age BETWEEN 20 AND 40 THEN 1 END ELSE 2 END AS c FROM people

SELECT id, sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS a, count(*) OVER () AS b FROM people

WITH a(x) (SELECT id FROM people) SELECT x, .5 AS half, 1.5e1 AS e FROM a

SELECT city, count(*) AS n FROM people GROUP BY city WITH CUBE HAVING count(*) > 1

SELECT trim(BOTH 'A' FROM name) AS a, trim(LEADING FROM name) AS b, trim(TRAILING concat('a', 'b') FROM name) AS c FROM people

SELECT /*+ REPARTITION(3, id), COALESCE(2) REBALANCE */ id FROM people

SELECT people . id, id * 2 AS twice, people.* FROM people WHERE id IN (FROM orders SELECT person WHERE price > 1)

-- error: SS5003
SELECT * EXCEPT (id, id) FROM people

-- error: SS5003
SELECT * EXCEPT (person) FROM (SELECT person, person person, item FROM orders) AS x

-- error: SS5003
SELECT person FROM (SELECT person, person AS person FROM orders) AS x

-- error: SS5001
SELECT , id FROM people

-- error: SS5001
SELECT DISTINCT, id FROM people

-- error: SS5001
SELECT array(, id) FROM people

-- error: SS5001
SELECT lead(, 2) OVER (ORDER BY id) FROM people

-- error: SS5001
SELECT count(,*) FROM people

-- error: SS5001
SELECT id FROM people ORDER BY , id

-- error: SS5001
SELECT 1 AS a UNION ALL (SELECT 2 , INTERSECT SELECT 2)

-- error: SS5001
SELECT count(*) FROM people GROUP BY

-- error: SS5001
SELECT id FROM people ORDER BY LIMIT 1

-- error: SS5001
SELECT sum(id) OVER (PARTITION BY) FROM people

-- error: SS5001
SELECT sum(id) OVER (PARTITION BY ORDER BY id) FROM people

-- error: SS5001
SELECT () FROM people

-- error: SS5001
SELECT id FROM people ORDER BY ()

-- error: SS5001
SELECT id FROM people JOIN orders USING ()

-- error: SS5001
SELECT * EXCEPT () FROM people

-- error: SS5001
SELECT CAST(arr AS ARRAY(INT) FROM nested

-- error: SS5001
SELECT CAST(15 AS DECIMAL(10, 0) DIV CAST(7 AS DECIMAL(5, 2)) AS a

-- error: SS5001
SELECT /*+ REPARTITION(2 */ id FROM people

-- error: SS5001
SELECT /*+ REPARTITION(,2) */ id FROM people

-- error: SS5001
SELECT /*+ + REPARTITION(2) */ id FROM people

-- error: SS5001
SELECT /*+ REPARTITION(2), */ id FROM people

-- error: SS5001
SELECT id FROM . people

-- error: SS5001
SELECT id > . 30 FROM people

-- error: SS5001
SELECT id FROM people *

-- error: SS5001
SELECT id * FROM people

-- error: SS5001
SELECT city FROM people GROUP BY city WITH ROLLUP age

-- error: SS5001
FROM people WHERE id > 1

-- error: SS5001
SELECT * FROM (FROM people WHERE id > 1)

-- error: SS5001
SELECT id BETWEEN 20 40 FROM people

-- error: SS5001
SELECT id FROM people WHERE id BETWEEN 1 OR id > 2

-- error: SS5001
SELECT CASE WHEN id BETWEEN 1 THEN 2 END FROM people

-- error: SS5001
SELECT sum(id) OVER (ORDER BY id ROWS 1 PRECEDING AND CURRENT ROW) FROM people

-- error: SS5001
SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN BETWEEN 1 PRECEDING AND CURRENT ROW) FROM people

-- error: SS5001
SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN 5 PRECEDING AND 5) FROM people

-- error: SS5001
SELECT sum(id) OVER (ORDER BY id ROWS 5) FROM people

-- error: SS5001
VALUES (1, 'a') (2, 'b')

-- error: SS5001
SELECT trim(LEADING name) FROM people

-- error: SS5001
SELECT id NOT NULL FROM people

-- error: SS5001
SELECT * FROM (SELECT id, age, wage FROM people) UNPIVOT (n NULL FOR what IN (id, age))

-- error: SS5001
SELECT * FROM (SELECT id, age, wage FROM people) UNPIVOT (n FOR 1 what IN (id, age))

-- error: SS5001
SELECT AS id FROM people

-- error: SS5001
SELECT sum(id) OVER FROM people

-- error: SS5001
SELECT sum(id) OVER, id FROM people

SELECT (id) over FROM people

-- error: SS5001
SELECT id IS DISTINCT FROM 1 IS NULL FROM people

-- error: SS5001
SELECT id IS NOT DISTINCT FROM 1 NOT IN (true) FROM people

SELECT id IS DISTINCT FROM CASE WHEN age IS NULL THEN 1 END, age IS NULL FROM people WHERE id IS DISTINCT FROM 1 AND age IN (25, 30)

-- error: SS5001
SELECT (name, id) IN (SELECT 'Ada', 1) FROM people

SELECT (name, id) IN (SELECT 'Ada', 1 FROM people), (name, id) IN (SELECT 'Ada', 1 AS x), (name, id) IN (SELECT 'Ada', 1 x) FROM people

-- error: SS5001
FROM people |> ORDER BY id DESC ORDER

SELECT ~~id, id - ~~-1, ~ ~ ~id, age&~~3 FROM people

-- error: SS5001
SELECT name ~~ 'A%' FROM people

-- error: SS5001
SELECT name !~~* 'A%' FROM people

-- error: SS5001
SELECT id FROM a . .people

-- error: SS5001
WITH AS c (SELECT id FROM people) SELECT id FROM people

-- error: SS5001
SELECT (), id FROM people

-- error: SS5001
SELECT DISTINCT ( ), id FROM people

-- error: SS5001
SELECT count(()) FROM people

SELECT age, count(*) FROM people GROUP BY GROUPING SETS ((), (age))

-- error: SS5001
SELECT sum(id) OVER (ORDER BY id RANGE CURRENT ROW AND 2 FOLLOWING) FROM people

SELECT id FROM (SELECT id, true AS current, true AS row FROM people) WHERE row AND current

-- error: SS5001
FROM people |> AGGREGATE sum(id) GROUP age

-- error: SS5001
FROM people |> AGGREGATE sum(id) GROUP (age)

SELECT id group FROM people group

SELECT group a FROM (SELECT id AS group FROM people)

-- error: SS5001
TABLE people p

-- error: SS5001
TABLE people AS p

-- error: SS5001
(TABLE people) UNION ALL TABLE people p

TABLE people |> WHERE id = 1

(TABLE people) UNION ALL TABLE people ORDER BY id

-- error: SS5001
SELECT * FROM people AS :: (a, b, c, d)

-- error: SS5001
SELECT id AS + FROM people

-- error: SS5001
SELECT x FROM (SELECT id, age FROM people) AS t(x INT, y)

-- error: SS5001
SELECT x FROM (SELECT id, age FROM people) AS t(x NULL, y)

-- error: SS5001
SELECT id FROM people ORDER BY id ASC DESC

-- error: SS5001
SELECT row_number() OVER (ORDER BY id DESC ASC NULLS LAST) FROM people

SELECT id FROM (SELECT id, age AS asc FROM people) ORDER BY asc DESC, id
