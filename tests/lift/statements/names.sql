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

SELECT max(id) AS foo FROM people HAVING to_json(struct(Foo)) LIKE '{"Foo":%'

SELECT id + 1 AS n, to_json(struct(N, (id), ((age)), N + 0)), (N, 1) AS pair FROM people

SELECT age + 1 AS g, to_json(struct(G)), count(*) AS c FROM people GROUP BY g HAVING to_json(struct(c)) = '{"c":1}'

SELECT id, row_number() OVER (ORDER BY id) AS rn FROM people QUALIFY to_json((rn, 1)) = '{"rn":2,"col2":1}'

SELECT to_json(struct(m['a'], m['b'], a[0], named_struct('Q', 1).q)) FROM (SELECT map('a', 1, 'b', 2) AS m, array(1) AS a)

SELECT array(id) AS q, to_json(arrays_zip(Q, (Q), array(1))) FROM people

-- error: SS5005
SELECT * FROM default.range(2)

-- error: SS5005
SELECT default.upper(name) FROM people

SELECT builtin.upper(name), r.id FROM people, system.builtin.range(2) AS r

-- error: SS5003
SELECT filter(array(1, 2), (x, X) -> x > 1)

-- error: SS5003
SELECT aggregate(array(1, 2), 0, (x, x) -> x)

SELECT name AS user, user = 'nobody' AS it FROM people

SELECT 5 AS grouping__id, grouping__id + 10 AS z FROM people GROUP BY CUBE (city)

SELECT name AS user, count(*) AS n FROM people GROUP BY name HAVING user > 'B' ORDER BY user DESC

SELECT max(id) AS m FROM (SELECT id, 'x' AS user FROM people) GROUP BY user HAVING user = 'x' ORDER BY user

SELECT (SELECT any_value(current_user = '7') FROM people WHERE current_user <> '7') FROM (SELECT '7' AS current_user)

SELECT x.g FROM (SELECT '7' AS user) AS z, LATERAL (SELECT user = '7' AS g FROM people) AS x

SELECT x.g FROM (SELECT '7' AS user) AS z, LATERAL (SELECT z.user = '7' AS g FROM people) AS x

SELECT x.city FROM (SELECT 7 AS grouping__id) AS z,
  LATERAL (SELECT city FROM people GROUP BY CUBE (city) HAVING grouping__id = 1) AS x

SELECT * FROM (SELECT city, grouping__id FROM people GROUP BY CUBE (city)) AS z
WHERE city IN (SELECT y.city FROM (SELECT city, grouping__id FROM people GROUP BY CUBE (city)) AS y)

-- error: SS5003
-- spark: MISSING_AGGREGATION
SELECT name AS user, max(id) FROM people GROUP BY user

SELECT array(all) AS a, max(all) OVER () AS b, all * 2 AS c, if(all IS NULL, 1, all) AS d FROM (SELECT id AS all FROM people)

SELECT count(all), count(DISTINCT all), count(ALL all), sum(all * 2), count(ALL *), count(ALL (1)) FROM (SELECT id AS all FROM people)

SELECT explode(array(all, all)) AS x FROM (SELECT id AS all FROM people)

SELECT id FROM (SELECT id, name AS user FROM people) AS z ORDER BY z.user DESC, length(user)

SELECT id FROM (SELECT id, name AS user FROM people) AS z ORDER BY z.user DESC LIMIT 2

SELECT id, user AS u FROM (SELECT id, name AS user FROM people) AS z ORDER BY length(user), u DESC

SELECT id, count(*) AS n FROM (SELECT id, name AS user FROM people) AS z GROUP BY id, user HAVING z.user > 'B' ORDER BY z.user DESC

SELECT id FROM (SELECT id, -age AS grouping__id FROM people) AS z ORDER BY z.grouping__id, id

SELECT NOT city IS NULL, city IS NOT NULL, NOT city IS NOT NULL, NOT NOT city IS NULL, ! city IS NULL, NOT (city IS NULL) FROM people

SELECT NOT age + 1 IS NULL AND city IS NOT NULL, NOT coalesce(city, name) IS NULL OR NOT -age IS NOT NULL FROM people

SELECT NOT (SELECT max(age) FROM people WHERE city IS NOT NULL) IS NULL, NOT (city IS NULL) IS NULL, (NOT city IS NULL) IS NOT NULL FROM people

SELECT NOT CASE WHEN age > 30 THEN city IS NULL ELSE city IS NOT NULL END IS NULL, NOT cast(age AS STRING) IS NULL, NOT 1 IS NULL FROM people

SELECT count(id) FILTER (WHERE age > 30 AND NOT city IS NULL), max(NOT city IS NULL) OVER (PARTITION BY NOT city IS NULL) FROM people GROUP BY city

SELECT exists(array(1, NULL), x -> NOT x IS NULL), exists(array(1, NULL), x -> x IS NOT NULL)

-- error: SS5003
-- spark: MISSING_AGGREGATION
SELECT city IS NOT NULL FROM people GROUP BY NOT city IS NULL

SELECT NOT city IS NULL, count(*) FROM people GROUP BY NOT city IS NULL

SELECT dateadd(year, 1, DATE '2020-01-31'), TIMESTAMPADD(Month, 1, '2020-01-31'), datediff(Week, '2020-01-01', '2020-12-31'), dateDiff(HOUR, '2020-01-01', '2020-12-31')

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT * FROM :people

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT * FROM people AS :p

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT people.:id FROM people

WITH values AS (SELECT id AS values, age FROM people) SELECT values.values, values + 1 AS x, abs(values) AS y FROM values WHERE values > 1 AND values IN (2, 3) ORDER BY values DESC

SELECT values, 'values', limit, 'limit', offset, any, for FROM (SELECT id AS values, id AS limit, age AS offset, city AS any, name AS `for` FROM people) values LIMIT 2 OFFSET 1

SELECT alter, create AS x, drop + 1 AS y, fetch, CASE WHEN grant > 1 THEN revoke ELSE rollback END AS z
FROM (SELECT id AS alter, id AS create, id AS drop, id AS fetch, id AS grant, id AS revoke, id AS rollback FROM people) AS into

SELECT limit, count(*) AS n FROM (SELECT age % 2 AS limit FROM people) GROUP BY limit ORDER BY limit LIMIT 5

SELECT transform(array(1, 2), values -> values + 1) AS x, struct(1 AS values).values AS y, substring(name FROM 1 FOR 2) AS z FROM people

SELECT a.values FROM (SELECT id AS values FROM people) a JOIN (SELECT id AS values FROM people) b USING (values)

SELECT id = 1 AND id = 2 AND id = 3 AND id = 4, id = 1 OR id = 2 OR id = 3 OR id = 4 OR id = 5, id > 1 AND age > 2 AND (id > 3 AND id > 4) AND age > 5 AND id > 6 FROM people

SELECT NOT id = 1 AND age = 2 AND id = 3 AND NOT id = 4 OR id = 5 OR id = 6 OR city = 'x' FROM people WHERE id > 0 AND age > 0 AND id < 9 AND age < 99 AND name > 'A'

SELECT int(NULL), string(NULL) || 'a', date(NULL), int(string(NULL)), CAST(int(NULL) AS STRING), - int(NULL), string(CAST(NULL AS INT)) FROM people

SELECT try_cast(NULL AS INT), try_cast(string(NULL) AS INT), try_cast(NULL AS ARRAY<INT>), NULL::STRING, string(NULL) LIKE ANY ('a', 'b') FROM people

SELECT (id BETWEEN 2 AND age) BETWEEN false AND (age BETWEEN 25 AND 30), NOT (id NOT BETWEEN age AND 3) BETWEEN true AND NULL FROM people

SELECT CASE CASE id WHEN 1 THEN age WHEN 2 THEN NULL ELSE id END WHEN age THEN 1 WHEN 3 THEN age END FROM people

SELECT max(int(age BETWEEN 25 AND int(id BETWEEN 1 AND age) + 40)) FROM people GROUP BY int(age BETWEEN id AND 30) HAVING max(CASE age WHEN 30 THEN id WHEN 61 THEN age ELSE 1 END) BETWEEN 1 AND 3
