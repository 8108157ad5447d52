SELECT id, name FROM people

SELECT * FROM people WHERE age > 30 AND city IS NOT NULL

SELECT p.*, p.age * 2 AS twice FROM people p WHERE NOT (p.age BETWEEN 20 AND 40)

SELECT * EXCEPT (city, wage) FROM people

SELECT 1 AS one, 'x' AS s, TRUE AS t, NULL AS n, DATE '2024-02-29' AS d, X'1F' AS b

SELECT age + 1 AS next, next * 2 AS later FROM people

SELECT DISTINCT city FROM people

-- order: 1
SELECT DISTINCT age % 10 AS digit FROM people ORDER BY digit

-- order: 1, 2
SELECT city, age FROM people ORDER BY city DESC, age LIMIT 4

-- order: 1
SELECT name FROM people ORDER BY wage NULLS LAST, id

-- order: 1
SELECT id FROM people ORDER BY 1 LIMIT 3 OFFSET 2

SELECT id FROM people ORDER BY ALL LIMIT ALL

SELECT `id` AS `a b`, people.name AS `c.d` FROM people

SELECT CASE WHEN age < 30 THEN 'young' WHEN age < 60 THEN 'grown' END AS a, CASE city WHEN 'Rome' THEN 1 ELSE 0 END AS b FROM people

SELECT IF(age > 30, wage, 0) AS x, coalesce(city, name) AS y, nullif(age, 30) AS z, nvl(city, '?') AS w FROM people

SELECT name LIKE 'A%' AS a, name NOT LIKE '%a' AS b, name ILIKE 'a%' AS c, name RLIKE '^[A-C]' AS d FROM people

SELECT age IN (20, 30, NULL) AS a, age NOT IN (20, 30) AS b, city IN ('Rome', 'Oslo') AS c FROM people

SELECT city <=> NULL AS a, city IS DISTINCT FROM 'Rome' AS b, age > 30 IS TRUE AS c, (age > 30) IS NOT FALSE AS d FROM people

SELECT CAST(wage AS INT) AS a, wage :: STRING AS b, TRY_CAST(name AS INT) AS c, CAST('12' AS SMALLINT) AS d, bigint(age) AS e FROM people

SELECT -age AS a, +age AS b, ~age AS c, age & 3 AS d, age | 4 AS e, age ^ 5 AS f, age % 7 AS g, age div 7 AS h, age / 7 AS i FROM people

SELECT name || '-' || city AS a, concat(name, age) AS b, substring(name, 2, 2) AS c, upper(name) AS d, length(name) AS e FROM people

SELECT extract(YEAR FROM born) AS a, year(born) AS b, born + 1 AS c, born - DATE '2000-01-01' AS d, born + INTERVAL 1 MONTH AS e FROM people

SELECT make_date(2024, 2, age % 28 + 1) AS d, date_trunc('MONTH', born) AS m, datediff(DATE '2024-01-01', born) AS n FROM people

FROM people SELECT name WHERE age > 40

SELECT count(1), sum(age), max(name), id + 1 FROM people GROUP BY id

TABLE people

VALUES (1, 'a'), (2, 'b')

SELECT * FROM VALUES (1, 2.5), (2, NULL) AS t(a, b)

SELECT id FROM range(3)

SELECT s.a, s.b AS other, arr[0] AS first, m['k'] AS value FROM nested

SELECT s, arr, m FROM nested

SELECT transform(arr, x -> x + 1) AS a, filter(arr, x -> x > 1) AS b, exists(arr, x -> x = 2) AS c, aggregate(arr, 0, (acc, x) -> acc + x) AS d FROM nested WHERE arr IS NOT NULL

SELECT struct(id, name) AS a, named_struct('x', age, 'y', city) AS b, array(id, age) AS c, map(name, age) AS d FROM people

-- error: SS5004
SELECT nome FROM people

-- error: SS5004
SELECT id FROM persons

-- error: SS5005
SELECT lenght(name) FROM people

-- error: SS5003
SELECT name + city FROM people

-- error: SS5003
SELECT id FROM people WHERE name

-- error: SS5001
SELECT id,, name FROM people

-- error: SS5001
SELECT id FROM people GROUP BY id WHERE id > 1

-- error: SS5003
SELECT id FROM people WHERE id IN ()

-- error: SS5003
SELECT id FROM people LIMIT -1

-- error: SS5003
SELECT id FROM people ORDER BY 2

-- error: SS5003
SELECT id FROM people p JOIN people q ON p.id = q.id

-- Two quotes are one, with nothing between them; texts beside each other are one text.
SELECT 'it''s' AS a, "x""y" AS b, 'p' 'q' AS c, 'r'"s" AS d, '\u0041\101\%\q' AS e, '''' AS f, name || '''s' AS g FROM people

SELECT id FROM (SELECT id, age FROM people) WHERE 30 IN (*)

-- error: SS5003
SELECT mask(lowerChar => 'q', 'AbC') FROM people

SELECT t.a FROM VALUES 1, 2, 3 AS t(a) WHERE t.a > 1

SELECT * FROM VALUES ('one', 1 AS one), ('two', 2) AS t(a, b)

-- error: SS5003
SELECT id FROM people LIMIT (SELECT 1)

SELECT CASE WHEN age > 30 THEN 0.00 ELSE 3BD END AS c, coalesce(wage, 0.00) / 3 AS w, greatest(1.5, 0.00) AS g FROM people

SELECT coalesce(s, named_struct('a', 1, 'b', 'x')).b AS b, max(s) OVER ().a AS m FROM nested

SELECT exists((arr), x -> x > 1) AS e FROM nested WHERE EXISTS ((SELECT 1))

WITH w AS (SELECT id FROM people) TABLE w

WITH q(i, n) AS (SELECT id, concat(name, '!') FROM people), r AS (SELECT * FROM q WHERE i > 1) SELECT x.n, 1L AS one FROM r AS x

WITH p AS (SELECT city, 2L AS two FROM people) SELECT two, count(*) AS n FROM p WHERE city IS NOT NULL GROUP BY two

SELECT int(age), string(name), s.a, m.k, (m).n, CAST(s.b AS STRING) FROM people, nested WHERE s.a = id

SELECT * FROM VALUES (struct(1, 'a')), (struct(2L, NULL))

SELECT CAST(arr AS STRING) AS a, CAST(m AS STRING) AS m, array(struct(1 AS z)).z AS z FROM nested

SELECT born + d AS x FROM people, (SELECT INTERVAL '2' DAY AS d)

SELECT format_string('x'), concat_ws('-')

-- error: SS5003
SELECT * FROM VALUES (1), ('x')

-- error: SS5003
SELECT id FROM people WHERE NULL

-- error: SS5003
SELECT CASE WHEN NULL THEN 1 END

-- error: SS5003
SELECT count(people.*) FROM people

-- error: SS5003
SELECT count() FROM people

-- error: SS5001
SELECT name LIKE ANY () FROM people

-- error: SS5004
SELECT 0x1F

-- Words that are functions where no column has the name.
SELECT current_date, current_user + 1 AS c FROM (SELECT id AS current_date, age AS current_user FROM people) AS q WHERE current_date < 3

SELECT current_date = current_date() AS d, session_user = current_user() AS u FROM people

-- Of a row without columns a star has none.
SELECT * FROM people AS p, LATERAL (SELECT *, p.age + 1 AS older WHERE p.age > 30)

SELECT (*), (p.*) FROM people AS p

-- error: SS5001
SELECT * EXCEPT id FROM people

-- error: SS5003
SELECT * EXCEPT (s, s.f) FROM (SELECT struct(1 AS f, 2 AS g) AS s, 3 AS z) AS q

-- error: SS5003
SELECT id FROM people ORDER BY coalesce(*)

SELECT array(struct(id f, name g)) AS a, struct(INTERVAL 1 DAY > INTERVAL '2' HOUR longer, age).longer AS b FROM people

-- Fields and elements of NULL are NULL.
SELECT x.f, x.f.g AS h, x[0] AS e, (NULL).k AS k FROM (SELECT NULL AS x) AS q

-- Structs are compared by the places of their fields.
SELECT id FROM people WHERE struct(id, name) = named_struct('i', id, 'n', 'Ann') OR array(struct(id)) < array(named_struct('k', 3))

SELECT DATE '2024-01-31' + NULL AS s, NULL + DATE '2024-01-31' AS t, DATE '2024-01-31' - NULL AS d

SELECT IDENTIFIER('p.' || 'id'), IDENTIFIER('upper')(name) AS n FROM IDENTIFIER('people') AS p WHERE IDENTIFIER('`age`') > 30

-- error: SS5005
SELECT IDENTIFIER('p').id FROM people AS p

-- A field of a struct has its name for those behind it, too.
SELECT s.f, f + 1 AS g, g * 2 AS h FROM (SELECT struct(age AS f) AS s FROM people) AS q

SELECT from_json('{"a": 1}', 'MAP<STRING, INT>') FROM people

SELECT A, Name AS n, AGE + 1, people.ID FROM (SELECT id AS a, * FROM people) AS people

SELECT id AS age FROM people ORDER BY people.age NULLS LAST, id LIMIT 2

SELECT id AS wage, wage AS id FROM people ORDER BY abs(people.wage) DESC, people.id LIMIT 3

-- error: SS5003
SELECT DISTINCT id AS age FROM people ORDER BY people.age

SELECT id + 1 AS x, x FROM people ORDER BY x

SELECT c FROM VALUES (1, 9), (3, 4) AS t(c, all) ORDER BY all LIMIT 1

SELECT c FROM VALUES (1, 9), (3, 4) AS t(c, all) ORDER BY t.all DESC LIMIT 1

SELECT c FROM VALUES (3), (1) AS t(c) ORDER BY (all)

-- error: SS5004
SELECT id FROM people ORDER BY all, id

-- error: SS5004
SELECT id FROM people SORT BY zz

-- error: SS5003
SELECT id FROM people DISTRIBUTE BY max(age)

-- error: SS5001
SELECT id FROM people WHERE id = 1 CROSS JOIN orders

-- error: SS5001
SELECT * FROM people WHERE id = 1 PIVOT (sum(age) FOR city IN ('Rome'))

-- error: SS5001
SELECT 1 JOIN orders

-- error: SS5001
SELECT id AS "x" FROM people

-- error: SS5001
SELECT id FROM 'people'

-- error: SS5001
SELECT id ! IN (1) FROM people

-- error: SS5001
SELECT * FROM VALUES ()

-- Names that Spark makes up.
SELECT -(1), - - 1, -1, negative(age), negative(-1.11), - INTERVAL '1' DAY, 1e10, 0.0001D, -(9223372036854775807) FROM people

SELECT age > 0.5, age >= 0.5, 0.5 > age, age <= -1.5, age < -0.5, id < 1.0, 1 > 0.5, age = 0.5, age > -(0.5), age > 0.5D FROM people

SELECT sort_array(array(age)), array_sort(array(age)), regexp_extract(city, '(a)'), trim(LEADING FROM city), ltrim('a', city), array_contains(CAST(array(age) AS ARRAY<BIGINT>), 1) FROM people

SELECT (id, age) IN (SELECT id, age FROM people), (id + 1, 1) IN (SELECT 1, 2) FROM people

SELECT (SELECT count(*) FROM people AS q WHERE q.id = p.id AND q.age > p.id AND p.age BETWEEN q.age AND q.id), EXISTS (SELECT 1 FROM people AS q WHERE q.id = p.age UNION ALL SELECT 2 WHERE p.id = 1), (WITH c AS (SELECT q.id FROM people AS q WHERE q.id = p.age) SELECT max(id) FROM c WHERE id = p.id) FROM people AS p

-- A sign before brackets makes no literal: it has the digits of an INT.
SELECT -(1) + 1.5, -1 + 1.5, -(1.5) * 2, id + -(2) FROM people

-- order: 1
SELECT id, named_struct('a', 1, 'k', -id) AS s FROM people ORDER BY s.k

-- order: 1
SELECT id, map('a', 1, 'k', -id) AS col FROM people ORDER BY col['k']

-- order: 1
SELECT id, map('a', 1, 'k', -id) AS col FROM people ORDER BY col.a, col.k DESC

-- order: 1
SELECT id, array(1, -id) AS col FROM people ORDER BY col[0], col[1]

-- order: 1
SELECT s.a AS id, arr, s FROM nested ORDER BY s.b DESC

-- error: SS5003
SELECT * EXCEPT (person) FROM orders a JOIN orders b ON a.person = b.person

SELECT * EXCEPT (person) FROM (SELECT person, person, item FROM orders) AS x

SELECT a.* EXCEPT (person) FROM orders a JOIN orders b ON a.person = b.person

-- error: SS5001
SELECT 3.14L

-- error: SS5003
SELECT 3.4028235E38F

SELECT 3.4028234E38F AS f, 1.7976931348623157E308D, -128Y, -9223372036854775808L, 1.5::bigint, 1::bigint, -3::bigint, 3::tinyint, 1.5::double

-- error: SS5001
SELECT id IS NOT NULL :: string FROM people

SELECT (id IS NULL) :: string, NULL :: int, TRUE :: string FROM people

-- error: SS5001
-- spark: CAST_INVALID_INPUT
SELECT 'a' LIKE ANY ('a') ESCAPE '/'

-- error: SS5001
SELECT 'a' RLIKE 'a' ESCAPE '/'

-- error: SS5001
SELECT extract('year' FROM born) FROM people

-- error: SS5003
SELECT format_string('%0$s', name) FROM people

SELECT name FROM people ORDER BY id - age NULLS LAST, wage DESC, id LIMIT 3

SELECT name AS n, age AS m, age AS k FROM people ORDER BY people.age DESC, length(people.name), city LIMIT 4

SELECT col1 FROM VALUES 1, 3, 2 ORDER BY 1 DESC

SELECT count(*), col1 FROM VALUES 1, 2, 1 GROUP BY col1

SELECT col1 FROM VALUES 1, 2, 3 SORT BY col1

SELECT col1 + 1 FROM VALUES 1, 2 CLUSTER BY col1

-- error: SS5003
-- spark: UNRESOLVED_COLUMN
SELECT id FROM people OFFSET ALL

-- error: SS5003
-- spark: UNRESOLVED_COLUMN
SELECT id FROM people LIMIT 1 OFFSET ALL

SELECT DISTINCT id, id AS again FROM people ORDER BY people.id + 1 DESC

-- error: SS5003
-- spark: UNRESOLVED_COLUMN
SELECT DISTINCT id, age AS id FROM people ORDER BY id

-- error: SS5003
-- spark: UNRESOLVED_COLUMN
SELECT DISTINCT city, max(age) AS city FROM people GROUP BY city ORDER BY city

SELECT DISTINCT ID, age, ID FROM people ORDER BY ID DESC, age

SELECT DISTINCT id, age, ID FROM people ORDER BY ID DESC, age

SELECT age + id AS f, f, f + 5 FROM people

SELECT age + id AS f, f, F, f * 2 AS g, g, g + f AS h FROM people

SELECT nested.s AS q, q, q.x + 1 AS y FROM (SELECT struct(id AS x, age AS z) AS s FROM people) AS nested

-- error: SS5004
-- spark: AMBIGUOUS_LATERAL_COLUMN_ALIAS
SELECT age + id AS f, f AS f, f + 5 FROM people

SELECT trim(`both`), trim(`leading`) FROM (SELECT name AS `both`, city AS `leading` FROM people)
