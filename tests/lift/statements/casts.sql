SELECT CASE WHEN age > 28 THEN CAST(id AS BIGINT) ELSE age END AS a, CASE WHEN id > 2 THEN wage ELSE age END AS b,
CASE WHEN id > 2 THEN wage WHEN id = 1 THEN 0 END AS c, CASE WHEN id < 3 THEN wage ELSE 1.5D END AS d FROM people

SELECT coalesce(wage, 0) AS a, coalesce(age, wage) AS b, coalesce(wage, CAST(age AS DECIMAL(20, 6))) AS c,
coalesce(CAST(age AS BIGINT), id) AS d, greatest(wage, id, age) AS e, least(2, wage) AS f FROM people

SELECT sum(wage) / count(wage) AS a, sum(wage) * 1000000 DIV count(wage) AS b, sum(age) DIV count(wage) AS c,
sum(wage) % count(*) AS d, sum(wage) / 7.0D AS e, sum(CASE WHEN id > 2 THEN wage ELSE 0 END) AS f FROM people

SELECT power(wage, -1) AS a, sqrt(age) AS b, ln(wage + 1) AS c, atan2(id, wage) AS d, exp(id) AS e, log(2, id) AS f,
degrees(wage) AS g, power(age, 2) AS h FROM people WHERE wage > 0

SELECT try_divide(wage, id - 1) AS a, try_divide(wage, CAST(age AS DOUBLE)) AS b, try_add(id, wage) AS c,
try_multiply(wage, CAST(age AS BIGINT)) AS d, try_subtract(CAST(id AS TINYINT), age) AS e FROM people

SELECT CAST(id AS BIGINT) + age AS a, CAST(id AS BIGINT) * CAST(age AS BIGINT) AS b, wage * CAST(id AS DECIMAL(10, 0)) AS c,
wage / CAST(age AS DECIMAL(10, 0)) AS d, wage + CAST(id AS DECIMAL(20, 0)) AS e, CAST(id AS DOUBLE) / wage AS f FROM people WHERE wage > 0

SELECT id FROM people WHERE wage BETWEEN 5 AND id + 10 OR wage BETWEEN CAST(age AS BIGINT) AND 100.0D

SELECT id FROM people WHERE born >= '1994-01-01' AND born < '1999-12-31' OR born BETWEEN '2000-01-01' AND '2000-12-31'

SELECT id FROM people WHERE CAST(id AS BIGINT) IN (SELECT person FROM orders) OR wage IN (SELECT price FROM orders)

SELECT id FROM people WHERE age IN (SELECT CAST(wage AS BIGINT) FROM people) OR id NOT IN (SELECT 9L)

SELECT CAST(array(array(array(id))) AS ARRAY<ARRAY<ARRAY<BIGINT>>>) AS a, CAST(array(named_struct('a', map(1, array(id))))
AS ARRAY<STRUCT<b: MAP<BIGINT, ARRAY<STRING>>>>) AS b FROM people

SELECT CAST(10 AS INTERVAL DAY) AS a, DATE '2001-10-01' - DATE '2001-09-28' AS b, CAST('3' AS INTERVAL HOUR) AS c, max(named_struct('x', 1)) AS d

SELECT -1 :: STRING AS a, -1.5BD::STRING || 'x' AS b, - 128Y :: INT AS c, -age :: STRING AS d, age -1 :: INT AS e, -1e2D :: INT AS f FROM people

SELECT TIMESTAMP'2020-01-01 10:00:00'::DATE AS a, DATE'2020-01-01' :: TIMESTAMP AS b, DATE '2020-01-01'::STRING::DATE AS c,
  TIMESTAMP_LTZ '2020-01-01 05:06:07+02:00' :: TIMESTAMP_NTZ AS d, INTERVAL '2' MONTH :: INT AS e

SELECT id FROM people WHERE age > -1::INT + 2 ORDER BY -1 :: INT * id LIMIT 2

SELECT 5 DIV 2.5 AS a, age DIV 2.5 AS b, 2.5 DIV id AS c, wage DIV 0.3 AS d, id DIV wage AS e, 7L DIV 1.5 AS f FROM people WHERE wage > 0

SELECT CAST(1500 AS DECIMAL(10, 0)) DIV CAST(7.25 AS DECIMAL(5, 2)) AS a, 7.9 DIV 100 AS b

SELECT CAST(double(x) AS DECIMAL(10, 2)), CAST(float(x) AS DECIMAL(5, 1)), decimal(double(x)), try_cast(double(x) AS DECIMAL(4, 1))
FROM VALUES ('NaN'), ('Infinity'), ('-Infinity'), ('1.25'), (NULL) AS v(x)

SELECT CAST(array(double(x)) AS ARRAY<DECIMAL(10, 2)>), CAST(map(x, double(x)) AS MAP<STRING, DECIMAL(10, 2)>),
CAST(struct(double(x), 1) AS STRUCT<a: DECIMAL(10, 2), b: STRING>) FROM VALUES ('NaN'), ('1.25') AS v(x)

SELECT CAST(price AS DECIMAL(10, 2)), CAST(sqrt(price) AS DECIMAL(10, 2)), CAST(1.5D AS DECIMAL(10, 2)), CAST(double(person) AS DECIMAL(4, 1)) FROM orders

-- fails: NUMERIC_VALUE_OUT_OF_RANGE
SELECT CAST(price * 1e30 AS DECIMAL(10, 2)) FROM orders

SELECT CAST('2020-01-01' AS TIMESTAMP WITHOUT TIME ZONE), '2020-01-01' :: TIMESTAMP(6) WITHOUT TIME ZONE, '2020-01-01' :: TIMESTAMP_NTZ(6),
'2020-01-01' :: TIMESTAMP_LTZ(6), CAST('2020-01-01' AS TIMESTAMP(6) WITH LOCAL TIME ZONE), TRY_CAST('x' AS TIMESTAMP WITHOUT TIME ZONE),
CAST(array('2020-01-01') AS ARRAY<TIMESTAMP WITHOUT TIME ZONE>), CAST(struct('2020-01-01') AS STRUCT<`a b`: TIMESTAMP_NTZ(6)>)

SELECT array(1)::array<bigint>[0], map('a', 1)::map<string, string>['a'], -1::int, 1::int::string::int AS x, 1::string x, transform(array('1'), x -> x::int),
int('1'), timestamp '2020-01-01' :: date, from_json('{"a":"2020-01-01"}', 'a timestamp(6) without time zone'), CAST(NULL AS VOID), NULL::VOID

-- error: SS5001
-- spark: INVALID_TIMESTAMP_PRECISION
SELECT '2020-01-01' :: TIMESTAMP(3)

-- error: SS5001
SELECT CAST('2020-01-01' AS TIMESTAMP WITH TIME ZONE)

-- error: SS5001
SELECT CAST('2020-01-01' AS TIMESTAMP_NTZ WITHOUT TIME ZONE)

-- error: SS5003
-- spark: INVALID_TIMESTAMP_PRECISION|NANOS|timestamp
SELECT '2020-01-01' :: TIMESTAMP_NTZ(7)

-- error: SS5001
SELECT '1' :: varchar

-- error: SS5001
SELECT '1' :: float(3)

-- error: SS5001
SELECT CAST(array(1) AS int[])

-- error: SS5001
SELECT CAST(array(1) AS array(int))

-- error: SS5001
SELECT CAST(1 AS `int`)

SELECT TIME '12:00:00.7' :: INT, CAST(TIME '00:01:52' AS TINYINT), CAST(TIME '23:59:59' AS BIGINT), CAST(TIME '23:59:59.5' AS DECIMAL(20, 10)), TRY_CAST(TIME '12:00:00.7' AS TINYINT), TRY_CAST(TIME '12:00:00' AS DECIMAL(3, 1))

-- fails: CAST_OVERFLOW
SELECT CAST(TIME '23:59:59' AS TINYINT)

SELECT CAST(CAST(TIME '12:34:56' AS TIMESTAMP_NTZ) AS DATE) = current_date(), hour(CAST(TIME '12:34:56' AS TIMESTAMP))

-- error: SS5003
SELECT CAST(TIME '12:00:00' AS DOUBLE)

SELECT concat(array(named_struct('a', id, 'b', name)), CAST(NULL AS ARRAY<STRUCT<a: INT, b: STRING>>)), nullif(named_struct('a', id), CAST(NULL AS STRUCT<a: INT>)).a, nvl2(age, named_struct('a', id), CAST(NULL AS STRUCT<a: INT>)).a, decode(id, 1, named_struct('a', 1), CAST(NULL AS STRUCT<a: INT>)).a FROM people

SELECT concat(xs, CAST(array() AS ARRAY<STRUCT<a: INT>>)), array_append(xs, CAST(NULL AS STRUCT<a: INT>)), array_contains(CAST(NULL AS ARRAY<STRUCT<a: INT>>), s), array_except(xs, array(CAST(NULL AS STRUCT<a: INT>))), arrays_overlap(xs, CAST(NULL AS ARRAY<STRUCT<a: INT>>)), array_union(CAST(array(named_struct('q', 1S)) AS ARRAY<STRUCT<a: INT>>), xs), array_insert(array(named_struct('a', 1)), 1, CAST(NULL AS STRUCT<a: INT>))[0].a FROM (SELECT array(named_struct('a', id)) AS xs, named_struct('a', id) AS s FROM people)

SELECT map_concat(map('k', named_struct('a', id)), CAST(NULL AS MAP<STRING, STRUCT<a: INT>>)), coalesce(CAST(NULL AS STRUCT<a: INT>), named_struct('a', id)).a FROM people

SELECT x, sum(x), try_sum(x) FROM VALUES (CAST(90000 AS DECIMAL(5, 0))), (CAST(20000 AS DECIMAL(5, 0))) AS v(x) GROUP BY x

SELECT array(CAST(9 AS DECIMAL(1, 0))), map(1, CAST(9 AS DECIMAL(1, 0))), struct(CAST(9 AS DECIMAL(1, 0)) AS x)

SELECT transform(array(1), x -> CAST(9 AS DECIMAL(1, 0))), aggregate(array(1), CAST(9 AS DECIMAL(1, 0)), (x, y) -> CAST(8 AS DECIMAL(1, 0)))

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT timestamp 1

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT int 1
