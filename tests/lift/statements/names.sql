SELECT __auto_generated_subquery_name.a FROM (SELECT 1 AS a)

SELECT * FROM (SELECT 1 AS a) JOIN (SELECT 2 AS b) ON __auto_generated_subquery_name.a < b

SELECT __auto_generated_subquery_name.*, id FROM (SELECT name FROM people) JOIN people p ON p.name = __auto_generated_subquery_name.name

-- error: SS5003
SELECT __auto_generated_subquery_name.a FROM (SELECT 1 AS a) JOIN (SELECT 2 AS a)

-- error: SS5004
SELECT __auto_generated_subquery_name.col1 FROM VALUES (1)

SELECT b.id FROM (SELECT id, id FROM people) a CROSS JOIN (SELECT id, id FROM people) b

WITH t AS (SELECT id, id FROM people) SELECT id FROM t

WITH t AS (SELECT id, name, id FROM people) SELECT a.id, b.id, a.name FROM t a JOIN t b ON a.id = b.id

-- error: SS5003
WITH t AS (SELECT id, id AS id FROM people) SELECT id FROM t

WITH t AS (SELECT id, id FROM people UNION ALL SELECT 1, 1) SELECT id FROM t

SELECT 'a' AS arr FROM nested GROUP BY arr ORDER BY arr[0]

SELECT 'a' AS m FROM nested GROUP BY m HAVING m['x'] > 0 OR m['x'] IS NULL ORDER BY m['x']

SELECT 'a' AS arr FROM nested ORDER BY arr[0]

-- error: SS5003
SELECT listagg(DISTINCT name) WITHIN GROUP (ORDER BY city) FROM people

-- error: SS5003
SELECT listagg(DISTINCT name) WITHIN GROUP (ORDER BY name, city) FROM people

SELECT listagg(DISTINCT name, ',') WITHIN GROUP (ORDER BY NAME DESC) FROM people

SELECT count(DISTINCT (*)), count((*)), count(*) FROM people

-- error: SS5001
SELECT true is ! false

-- error: SS5003
SELECT to_char(id, '9G999D999G999') FROM people

SELECT to_char(id, 'S$9,999.99'), to_char(id, '$9G999D9MI'), to_number('1,234.5-', '9,999D9MI') FROM people

SELECT * FROM people, LATERAL (SELECT id + 1, NAME || people.city, age, abs(age), struct(age), age IS NULL)

SELECT * FROM people AS P, LATERAL (SELECT p.id + 1 UNION ALL SELECT age) WHERE id < 3

SELECT * FROM (SELECT id, named_struct('a', age) AS s FROM people), LATERAL (SELECT s.a, s.a + 1, array(id)[0])

SELECT * FROM people JOIN people b USING (id), LATERAL (SELECT `(outer(people.id) + 1)` FROM (SELECT id + 1))
