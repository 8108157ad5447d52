SELECT CAST(interval '36' hour AS BIGINT), CAST(interval '90' minute AS INT), CAST(interval '3 04' day to hour AS BIGINT), CAST(interval '1' day AS INT)

SELECT CAST(interval '12' month AS INT), CAST(interval '1-0' year to month AS BIGINT), CAST(interval '2' year AS INT), CAST(interval '36' hour AS DECIMAL(10,2))

SELECT CAST(h AS BIGINT), CAST(h + interval '1' hour AS BIGINT), CAST(h + d AS BIGINT) FROM (SELECT interval '36' hour AS h, interval '3' day AS d)

SELECT n IN (SELECT person FROM orders) FROM (SELECT NULL AS n UNION ALL SELECT NULL)

SELECT n IN (SELECT person FROM orders) FROM (SELECT NULL AS n UNION SELECT NULL UNION SELECT NULL)

SELECT n IN (SELECT person FROM orders) FROM (SELECT NULL AS n INTERSECT SELECT NULL)

SELECT n IN (SELECT person FROM orders) FROM (SELECT NULL AS n UNION SELECT 1)

SELECT n IN (SELECT person FROM orders) FROM (SELECT age AS n FROM people UNION ALL SELECT 1)

SELECT name FROM people WHERE id IN (VALUES 1, 2)

SELECT id IN (VALUES 1, 2), id NOT IN (VALUES 3, NULL) FROM people

SELECT name FROM people WHERE id IN ((VALUES 1))

-- error: SS5001
SELECT name FROM people WHERE id IN (VALUES (1), (2))

-- error: SS5001
SELECT age IS NULL = true FROM people

-- error: SS5001
SELECT age IS NOT NULL <> false FROM people

SELECT (age IS NULL) = true, id FROM people WHERE age IS NOT NULL AND (city IS NULL) <=> false

-- error: SS5001
SELECT interval '2 hours' 1 day

-- error: SS5001
SELECT interval '1 day' '2' hour

SELECT interval '2 hours', interval '1' day '2' hours, interval '1 day'

-- error: SS5003
SELECT percentile(TIMESTAMP '2020-01-01 00:00:00', 0.5)

-- error: SS5003
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY TIMESTAMP '2020-01-01 00:00:00')

SELECT TIMESTAMP_NTZ '2016-12-31 00:12:00Z', TIMESTAMP_NTZ '2016-12-31 00:12:00 Asia/Seoul', TIMESTAMP_NTZ '2016-12-31 00:12:00+05:00'

-- error: SS5003
SELECT TIMESTAMP_NTZ '2016-12-31 00:12:00 nowhere'

-- error: SS5003
SELECT arrays_zip(arr, arr).arr FROM nested

-- error: SS5004
SELECT localtimestamp

SELECT sum(age) OVER (CLUSTER BY city), count(*) OVER w FROM people WINDOW w AS (CLUSTER BY city, age)

SELECT nullif(NULL, 1), nullif(NULL, 'a'), nullif(NULL, NULL), nullif(NULL, age) FROM people

SELECT NULL + born, born + NULL, DATE '2001-09-28' + NULL, TIMESTAMP '2001-09-28 00:00:00' + NULL FROM people

SELECT log(10), lpad(X'01', 3), rpad(X'01', 2), -0.0, CAST(1 AS DOUBLE) = -0.0, convert_timezone('Asia/Seoul', '2020-01-01 00:00:00')

SELECT assert_true(true) IS NULL, CASE WHEN id > 0 THEN 1 ELSE raise_error('x') END, to_unix_timestamp('2020-01-01 00:00:00'), schema_of_csv('1|a', map('sep', '|')) FROM people

SELECT (id, name) IN ((1, 'Ada'), (2, 'x')), struct(id, name) IN (struct(2, 'Ben')), named_struct('x', id) IN (named_struct('y', 1)) FROM people

SELECT transform(arr, x -> struct(x, 1)), transform(arr, x -> struct(x, 1).x) FROM nested

SELECT current_date IS NULL AS a, user = current_user FROM people

SELECT city LIKE ANY ('R%', 'O%'), city NOT LIKE ALL ('R%'), city ILIKE ANY ('r%', 'o%'), city LIKE ANY ('R%', NULL), NOT city LIKE ALL ('R%') FROM people

SELECT id AS x, x + 1, abs(X), x || 'a' FROM people

SELECT sum(age) AS s, s + 1, count(*) + s FROM people

SELECT sum(age) OVER () AS w, w / 2 FROM people

SELECT age ISNULL FROM people

SELECT age notnull, isnull(age), isnotnull(age) FROM people

-- error: SS5003
SELECT upper(city), count(*) FROM people GROUP BY upper(city) HAVING min(age) > 0 ORDER BY upper(city)

-- order: 1
SELECT upper(city), count(*) FROM people GROUP BY upper(city) HAVING count(*) > 0 ORDER BY upper(city)

-- order: 1
SELECT city FROM people GROUP BY city, age HAVING min(id) > 0 ORDER BY city, age

-- error: SS5001
SELECT * FROM people NATURAL JOIN orders ON id = person

-- error: SS5001
SELECT * FROM (SELECT 1) (x)

SELECT x FROM (SELECT 1) AS (x)

-- error: SS5003
SELECT upper(city), rank() OVER (ORDER BY max(age)) FROM people GROUP BY upper(city) ORDER BY upper(city)

-- error: SS5003
-- spark: CAST_INVALID_INPUT
SELECT * FROM (SELECT age, id FROM people) PIVOT (count(*) FOR age IN ('x', 30))

SELECT * FROM (SELECT age, id FROM people) PIVOT (count(*) FOR age IN ('25', ' 30 '))

SELECT * FROM (SELECT price, person FROM orders) PIVOT (count(*) FOR price IN (2.5D, 1e10, -0.5D))

SELECT * FROM (SELECT s, 1 AS n FROM nested) PIVOT (sum(n) FOR s IN (named_struct('a', 1, 'b', 'Ada'), named_struct('a', 2, 'b', 'x')))

SELECT * FROM (SELECT CAST(name AS BINARY) AS b, id FROM people) PIVOT (sum(id) FOR b IN (X'416461'))

SELECT * FROM (SELECT CAST(born AS TIMESTAMP_NTZ) AS t, id FROM people) PIVOT (sum(id) FOR t IN (TIMESTAMP_NTZ '1994-05-01 00:00:00'))

-- error: SS5003
-- spark: CAST_INVALID_INPUT
SELECT * FROM (SELECT born, id FROM people) PIVOT (count(*) FOR born IN ('x'))

SELECT interval '1' day + '2011-11-11', interval '1 02' day to hour + '2011-11-11', interval '1' day + interval '2' hour + '2011-11-11'

-- fails: CAST_INVALID_INPUT
SELECT interval '1' day + '1 day'

SELECT day + '1', day + 1L FROM (SELECT 5 AS day)

SELECT builtin.abs(-1), system.builtin.abs(-2), system.builtin.count(*), b.builtin FROM (SELECT 1 AS builtin) b GROUP BY b.builtin

SELECT TRY_CAST(id AS TIMESTAMP), TRY_CAST(wage AS TIMESTAMP), TRY_CAST(id AS INTERVAL DAY), TRY_CAST(CAST(born AS TIMESTAMP) AS BIGINT), TRY_CAST(CAST(born AS TIMESTAMP) AS TINYINT), TRY_CAST(CAST(born AS TIMESTAMP) AS DECIMAL(5, 2)) FROM people

SELECT TRY_CAST(arr AS STRING), TRY_CAST(m AS STRING), TRY_CAST(s AS STRING), TRY_CAST(array(1, NULL) AS ARRAY<INTERVAL HOUR>), CAST(array(1, NULL) AS ARRAY<TIMESTAMP>) FROM nested

SELECT TRY_CAST(interval '36' hour AS BIGINT), TRY_CAST(interval '36000' hour AS TINYINT), TRY_CAST(interval '36' hour AS STRING), TRY_CAST(interval '12' month AS DECIMAL(5, 1)), TRY_CAST(interval '36:30' hour to minute AS INTERVAL HOUR)

-- error: SS5001
SELECT name FROM people WHERE name IN (SELECT 'Ada')

-- error: SS5001
SELECT name FROM people WHERE name IN (VALUES 'Ada', 'Ben')

SELECT name FROM people WHERE name IN (SELECT 'Ada' AS n) OR name IN (SELECT 'Ben' FROM orders)

SELECT decode(id, 1, s, named_struct('a', 1, 'b', 'x')), nvl(s, named_struct('a', 1, 'b', 'x')), nvl2(id, s, named_struct('a', 1, 'b', 'x')), nullif(s, named_struct('a', 1, 'b', 'Ada')) FROM (SELECT s, s.a AS id FROM nested)

-- error: SS5003
SELECT lag(d, 1, INTERVAL '1' DAY) OVER (ORDER BY id) FROM (SELECT id, make_dt_interval(id) AS d FROM people)

SELECT array_union(array(s), array(named_struct('a', 1, 'b', 'Ada'))), array_except(array(s), array(named_struct('a', 1, 'b', 'Ada'))), array(s) || array(named_struct('a', 1, 'b', 'x')), map_concat(map(1, s), map(2, named_struct('a', 1, 'b', 'x'))), array_append(array(s), named_struct('a', 1, 'b', 'x')) FROM nested

SELECT approx_count_distinct(arr), approx_count_distinct(s), approx_count_distinct(s.a) FROM nested

SELECT from_json('{"a":1}', 'map<string,int>')['a'], map_keys(from_json('{"a":1}', 'map<string,int>')), from_json('{"a":1}', 'map<string,int>').a

-- error: SS5007
SELECT window(CAST(born AS TIMESTAMP), '1 hour').start, window(CAST(born AS TIMESTAMP), '1 hour').end IS NULL, window(CAST(born AS TIMESTAMP), '1 hour') FROM people

-- error: SS5001
SELECT id FROM gv$people

-- error: SS5002
SELECT id ?? age FROM people

-- error: SS5001
SELECT 1 AS café

-- error: SS5001
SELECT * EXCLUDE id, name FROM people

-- error: SS5001
SELECT N'a'

-- error: SS5001
SELECT DATETIME '2020-01-01'

-- error: SS5001
SELECT INT '1'

-- error: SS5001
SELECT people.144 FROM people

-- error: SS5001
SELECT id FROM people ORDER BY id OFFSET 1 ROWS

-- error: SS5001
SELECT * FROM (SELECT 1) "x"

-- error: SS5001
SELECT * FROM people: p

-- error: SS5001
SELECT people."id" FROM people

-- error: SS5001
WITH 'x' AS (SELECT 1) SELECT * FROM x

-- error: SS5001
SELECT array(SELECT 1)

-- error: SS5001
SELECT sum(SELECT id FROM people)

-- error: SS5001
SELECT * FROM people UNPIVOT (v FOR n IN (id AS 'i', age))

-- error: SS5003
SELECT * FROM people UNPIVOT (v FOR n IN (id AS 1, age))

-- error: SS5001
SELECT * FROM (people, orders) AS t

-- error: SS5002
SELECT * FROM (people LATERAL VIEW explode(array(1)) v AS e, people)

-- error: SS5003
SELECT * FROM (SELECT 1, 2) AS x(a, 1)

-- error: SS5001
(SELECT 1) AS x UNION ALL (SELECT 2)

-- error: SS5003
SELECT nth_value(age, 2) OVER (PARTITION BY city) FROM people

-- error: SS5001
SELECT id FROM people GROUP BY DISTINCT id

-- error: SS5001
SELECT date_trunc('week', timestamp with time zone '2004-02-29 15:44:17')

-- error: SS5003
SELECT TIMESTAMP '2012-10-31 01:00 +2'

-- error: SS5003
SELECT TIMESTAMP '2012-10-31 01:00:00+19:00'

-- error: SS5003
SELECT INTERVAL 'hour 5 months'

-- error: SS5003
SELECT INTERVAL '5 days ago'

-- error: SS5003
SELECT INTERVAL '5days'

-- error: SS5003
SELECT DISTINCT id + 1 AS n FROM people GROUP BY ROLLUP(id) ORDER BY id + 1

SELECT `café`, * EXCEPT (id) FROM (SELECT id, name AS `café` FROM people)

SELECT * FROM ((people AS p JOIN orders AS o ON p.id = o.person)), (VALUES (1, 2)) AS v(a, b)

SELECT id, sum(age) OVER (PARTITION BY city RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM people

SELECT CAST(INTERVAL '- 5 days' AS STRING), CAST(INTERVAL '.5 seconds' AS STRING), INTERVAL '-1.5 seconds' || ''

SELECT CAST(INTERVAL '1 day -1.5 seconds' AS STRING), INTERVAL '5 DAYS' || '', INTERVAL 'interval 2 hours' || ''

-- order: 1, 2
SELECT DISTINCT city, age FROM people GROUP BY ROLLUP(city, age) ORDER BY city, age

-- order: 1
SELECT DISTINCT city FROM people GROUP BY CUBE(city, age) ORDER BY city IS NULL, upper(city)

SELECT TIMESTAMP '2012-10-31 01:00:00 +2', TIMESTAMP '2012-10-31 01:00:00.5 Europe/Paris', TIMESTAMP_NTZ '2012-10-31 01:00'

-- order: 1
SELECT id FROM people ORDER BY (1) DESC

SELECT city, age, count(*) FROM people GROUP BY (1), ((2))

SELECT trim('leading'), trim('both', 'x'), trim(LEADING 'x' FROM 'xa')

SELECT (table.x) FROM (SELECT 1 AS x) AS `table`

SELECT v.a, people.id FROM ((VALUES (1), (9)) AS v(a) LEFT JOIN people ON v.a = people.id)

SELECT x FROM unnest(array(1, NULL, 2)) AS u(x)

-- error: SS5003
SELECT * FROM unnest(map('a', 1))

-- error: SS5007
SELECT date '999999-03-18', date '-0001-1-28'

-- error: SS5007
SELECT timestamp '9999-12-31 23:00:00-05:00'

-- error: SS5007
SELECT timestamp '0001-01-01 00:00:00+05:00'

-- error: SS5003
SELECT date '99999-13-01'

-- error: SS5003
SELECT date '5881581-01-01'

-- error: SS5003
SELECT timestamp '294248-01-01'

-- error: SS5003
SELECT timestamp '10000-01-01 25:00:00'

SELECT date 'epoch UTC' AS d, timestamp ' Epoch Europe/Paris' AS t, timestamp_ntz 'epoch' AS n

-- error: SS5007
SELECT date 'today'

-- error: SS5007
SELECT timestamp 'tomorrow Europe/Paris'

-- error: SS5003
SELECT timestamp 'epoch Nowhere'

-- error: SS5003
SELECT date 'monday'

-- error: SS5007
SELECT TRANSFORM(id, name) ROW FORMAT DELIMITED FIELDS TERMINATED BY '@' NULL DEFINED AS 'n' USING 'cat' AS (a, b) FROM people

-- error: SS5007
FROM people MAP id USING 'cat' AS (a)

SELECT transform FROM (SELECT id AS transform, id FROM people) JOIN people AS p USING (id)
