SELECT p.id, r.id AS n FROM people p JOIN range(2, 5) AS r ON p.id = r.id

SELECT p.id, q.x FROM people p, (SELECT id AS x FROM range(3)) q WHERE p.id > q.x

SELECT p.id, (SELECT max(id) FROM range(4) WHERE p.id > id) AS m FROM people p

SELECT count(*), sum(id) FROM range(0, 10) WHERE id IN (SELECT id FROM range(3, 5))

SELECT id, explode(array(id, age)) AS n FROM people

SELECT name, posexplode(array(id, age, 7)) AS (place, n) FROM people WHERE id < 3

SELECT explode(map('id', id, 'age', age)) FROM people

SELECT inline(array(named_struct('a', id, 'b', name), NULL)) FROM people

SELECT id, stack(2, name, age, city, 0) AS (text, n) FROM people

SELECT id, n, m FROM people LATERAL VIEW explode(array(id, age)) a AS n LATERAL VIEW explode(array(n, n + 1)) b AS m

SELECT id, n FROM people LATERAL VIEW OUTER explode(array()) a AS n WHERE id < 3

SELECT p.id, g.n FROM people p, LATERAL explode(array(p.id, p.age)) AS g(n) WHERE g.n > 2

SELECT p.id, g.n FROM people p JOIN LATERAL explode(array(p.id, p.age)) AS g(n) ON g.n % 2 = 0

SELECT city, explode(array(count(*), sum(age))) AS n FROM people GROUP BY city

SELECT DISTINCT explode(array(age, 30)) AS n FROM people ORDER BY n

SELECT explode(array(id, age)) AS n, count(*) OVER (PARTITION BY city) AS c FROM people

SELECT id, explode(array(1, 2)) AS a, explode(array('x', 'y')) AS b FROM people

SELECT * FROM explode(array(1, 2, NULL)) AS g(n) WHERE n > 1

SELECT * FROM posexplode_outer(array('x', 'y'))

SELECT * FROM inline(array(struct(1, 'a'), struct(2, 'b'))) AS t(n, s) JOIN stack(2, 1, 'p', 3, 'q') AS u(m, r) ON n = m

SELECT * FROM range(5, 0, -2)

SELECT explode(sequence(3, 1)) AS n

SELECT * EXCEPT (s.a) FROM (SELECT named_struct('a', id, 'b', name, 'c', IF(id > 2, NULL, named_struct('d', age, 'e', 1))) AS s FROM people)

SELECT * EXCEPT (s.b, s.c.e) FROM (SELECT id, named_struct('a', id, 'b', name, 'c', IF(id > 2, NULL, named_struct('d', age, 'e', 1))) AS s FROM people)

SELECT city, age, grouping__id FROM people GROUP BY CUBE (city, age)

SELECT all, all + 1 AS more FROM VALUES (1) AS v(all)

SELECT id FROM people WHERE (id, age) NOT IN ((1, 30), (2, 99))

SELECT city, mode() WITHIN GROUP (ORDER BY age), mode() WITHIN GROUP (ORDER BY age DESC) FROM people GROUP BY city

SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY age), percentile_disc(0.5) WITHIN GROUP (ORDER BY id DESC) FROM people

SELECT listagg(name, '-') WITHIN GROUP (ORDER BY id DESC), listagg(DISTINCT city) WITHIN GROUP (ORDER BY city) FROM people

SELECT CASE id WHEN 1 THEN 'one' WHEN 2 THEN 'two' END AS word FROM people

SELECT explode(arr) FROM nested

SELECT s.a, k, n FROM nested LATERAL VIEW explode(m) a AS k, n

SELECT s.a AS id, posexplode_outer(arr) AS (place, e) FROM nested

SELECT s.b, e FROM nested, LATERAL explode(arr) AS x(e) WHERE e > s.a

SELECT e, count(*) AS c FROM people LATERAL VIEW explode(split(name, '')) x AS e GROUP BY e ORDER BY c DESC, e

SELECT id, j, k FROM people LATERAL VIEW json_tuple(to_json(struct(name, age)), 'name', 'age') x AS j, k

SELECT inline(array_repeat(s, 2)) FROM nested

SELECT s.a, a, f FROM nested LATERAL VIEW OUTER inline(array_repeat(s, s.a - 2)) x AS a, f

SELECT t.s.b FROM nested t WHERE EXISTS (SELECT 1 FROM explode(t.arr) AS x(e) WHERE e = t.s.a + 1)

SELECT t.s.b, (SELECT sum(e) FROM explode(t.arr) AS x(e)) AS total FROM nested t

SELECT t.s.a, x.e FROM nested t, LATERAL (SELECT e FROM explode(t.arr) AS y(e) UNION ALL SELECT 7) AS x

SELECT t.s.a, x.e FROM nested t LEFT JOIN LATERAL (SELECT e FROM explode(t.arr) AS y(e) ORDER BY e DESC LIMIT 1) AS x

SELECT name FROM people WHERE id IN (SELECT explode(arr) FROM nested)

SELECT id, explode(sequence(1, id)) AS n FROM people

SELECT city, explode(collect_list(id)) AS i FROM people GROUP BY city

WITH x AS (SELECT s.a AS id, explode(arr) AS e FROM nested) SELECT a.id, b.e FROM x a JOIN x b ON a.e = b.id

SELECT e, p.name FROM (SELECT explode(arr) AS e FROM nested) x LEFT JOIN people p ON p.id = x.e

SELECT * FROM explode(split('a,b,c', ',')) AS x(e) LEFT JOIN people ON lower(name) LIKE e || '%'

SELECT k.a, k.b FROM nested LATERAL VIEW explode(array_repeat(s, 2)) x AS k

SELECT s.a, e, row_number() OVER (PARTITION BY s.a ORDER BY e) AS r FROM nested LATERAL VIEW explode(arr) x AS e

SELECT s.a, e FROM nested LEFT JOIN LATERAL explode(arr) AS x(e)

SELECT s.a, e FROM nested LEFT JOIN LATERAL explode(arr) AS x(e) ON TRUE

SELECT s.a, e FROM nested LEFT OUTER JOIN LATERAL explode(arr) x(e) ON e > s.a ORDER BY s.a, e

SELECT s.a, col FROM nested LEFT JOIN LATERAL explode(arr) ON s.a = 1

SELECT s.a, x.col FROM nested LEFT JOIN LATERAL explode(arr) AS x LEFT JOIN people p ON p.id = x.col

SELECT s.a, x.col FROM nested LEFT JOIN LATERAL explode(arr) AS x ON x.col > 2 LEFT JOIN people p ON p.id = x.col

SELECT s.a, x.p, x.e FROM nested LEFT JOIN LATERAL posexplode(arr) AS x(p, e) ON p > 0

SELECT s.a, y.e FROM nested, LATERAL (SELECT e + 1 AS e FROM explode(nested.arr) AS x(e)) AS y

SELECT s.a, y.e FROM nested, LATERAL (SELECT e + nested.s.a AS e FROM explode(nested.arr) AS x(e)) AS y

SELECT s.a, y.* FROM nested, LATERAL (SELECT k, v FROM explode(nested.m) AS x(k, v)) AS y

SELECT s.a, y.e FROM nested LEFT JOIN LATERAL (SELECT e FROM explode(nested.arr) AS x(e)) AS y ON TRUE

SELECT s.a, y.e FROM nested LEFT JOIN LATERAL (SELECT e FROM explode(nested.arr) AS x(e) WHERE e > 2) AS y

-- error: SS5007
SELECT s.a, y.e FROM nested LEFT JOIN LATERAL (SELECT e FROM explode(nested.arr) AS x(e)) AS y

-- error: SS5007
SELECT s.a, y.e FROM nested LEFT JOIN LATERAL (SELECT e + 1 AS e FROM (SELECT explode(arr) AS e)) AS y

-- error: SS5003
SELECT (SELECT count(*) FROM orders LATERAL VIEW explode(nested.arr) x AS e) FROM nested

-- error: SS5003
SELECT explode(array(id)) + 1 FROM people

-- error: SS5003
SELECT posexplode(array(id)) AS n FROM people

-- error: SS5003
SELECT sum(id) WITHIN GROUP (ORDER BY id) FROM people

-- error: SS5003
SELECT percentile_cont(0.5) FROM people

-- error: SS5003
SELECT * EXCEPT (s.z) FROM nested

SELECT * FROM explode(array()) AS t(x)

-- error: SS5001
SELECT id FROM people, LATERAL VALUES (1)

-- error: SS5001
SELECT id FROM people LATERAL VIEW explode(array(1))

SELECT explode(sequence(DATE '2024-01-31', DATE '2024-06-01', INTERVAL 1 MONTH)) AS d

WITH days AS (SELECT explode(sequence(DATE '1994-02-27', DATE '1994-03-01')) AS d)
SELECT d, count(id) AS born FROM days LEFT JOIN people ON born = d GROUP BY d

SELECT explode(sequence(to_date('2024-03-31'), CAST('2024-01-01' AS DATE), INTERVAL '-1' MONTH)) AS d

SELECT explode(sequence(DATE '2024-01-01', DATE '2024-01-09', INTERVAL '36' HOUR)) AS d

SELECT posexplode(sequence(TIMESTAMP_NTZ '2024-01-31 12:00:00', TIMESTAMP_NTZ '2024-05-31 11:00:00', INTERVAL 1 MONTH)) AS (i, t)

SELECT explode(sequence(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-01 03:00:00', INTERVAL 1 HOUR)) AS t

SELECT explode(sequence(DATE '2024-01-01', NULL)) AS d

-- error: SS5003
-- spark: sequence step must be an interval day to second of day granularity
SELECT explode(sequence(DATE '2024-01-01', DATE '2024-01-03', INTERVAL '12' HOUR)) AS d

-- error: SS5003
-- spark: Illegal sequence boundaries
SELECT explode(sequence(DATE '2024-01-01', DATE '2024-01-03', INTERVAL '-1' DAY)) AS d

SELECT 1 AS one, inline(array(struct(1, 'a'), NULL)) AS (n, s)

SELECT p.id, g.col, (SELECT count(*) FROM orders o WHERE o.person = g.col) AS n
FROM people p, LATERAL explode(array(p.id)) AS g

SELECT t.id, e.col FROM (
  SELECT id, (SELECT min(person) FROM orders WHERE person >= people.id) AS m FROM people
) AS t, LATERAL explode(array(t.m)) AS e
WHERE (SELECT count(*) FROM orders WHERE person < e.col) > 1

SELECT * FROM people LEFT JOIN LATERAL explode(array(1, 2)) AS e(x) ON x = id

SELECT id, e.x, e.p FROM people LEFT JOIN LATERAL posexplode(array('Rome', NULL)) AS e(p, x) ON x = city AND p < id WHERE id < 4

SELECT * FROM people LEFT JOIN LATERAL stack(2, 1, 'Ada', 2, 'x') AS e(x, y) ON x = id AND y = name

SELECT * FROM people LEFT JOIN LATERAL explode(array(id, 2)) AS e(x) ON x > 2

SELECT 2 IN (SELECT explode(array(id, id + 1)) FROM people)

SELECT id FROM people WHERE id IN (SELECT explode_outer(array(p.id, 3, p.id + 1)) AS elem FROM people AS p)

SELECT explode(map(1, 'a', '2', 'b'))

SELECT explode(map(1, 'a', 1.5, 'b'))

-- error: SS5003
-- spark: DUPLICATED_MAP_KEY
SELECT explode(map(1, 'a', 1.0, 'b'))

SELECT stack(CAST(2 AS INT), id, name, age) FROM people

SELECT stack(1 + 1, id, 2) AS n FROM people
