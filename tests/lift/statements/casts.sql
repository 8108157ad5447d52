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
