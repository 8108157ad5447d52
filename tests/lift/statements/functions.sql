SELECT to_json(struct(id, name AS who)) AS a, to_json(array(named_struct('city', city))) AS b FROM people

SELECT to_json(s) AS whole, to_json(collect_list(s.b) OVER ()) AS every FROM nested

SELECT to_json(CAST(s AS STRUCT<k: BIGINT, v: STRING>)) AS renamed, to_xml(s) AS x, to_csv(s) AS c FROM nested

SELECT typeof(s) AS a, typeof(array(struct(1 AS one))) AS b, typeof(INTERVAL '3' HOUR) AS c, typeof(m) AS d FROM nested

SELECT array(INTERVAL '3' HOUR) AS hours, size(map('k', INTERVAL '2' YEAR)) AS n

-- error: SS5003
SELECT substring('abc', 1, 2, 3) FROM people

SELECT collect_list(age) RESPECT NULLS AS every, collect_set(city) IGNORE NULLS AS some FROM people WHERE id IN (1, 5)

SELECT name, size(collect_list(age) RESPECT NULLS OVER (PARTITION BY city)) AS n FROM people

SELECT mask(name, digitChar => '#', lowerChar => 'z') AS a, mask(str => city, otherChar => '?', upperChar => NULL) AS b
FROM people

-- error: SS5003
SELECT mask(lowerChar => 'z') FROM people

SELECT timestampadd(MONTH, id, TIMESTAMP '2024-01-31 10:00:00') AS a, dateadd(WEEK, 2, born) AS b,
  datediff(DAY, born, DATE '2000-01-01') AS c, timediff(HOUR, TIMESTAMP_NTZ '2024-01-01 00:00:00', born) AS d FROM people

-- error: SS5003
SELECT timestampadd('MONTH', 1, born) FROM people

SELECT 6 | 1 << 2, 6 | 3 & 1, 5 ^ 4 & 4 | 2, 64 >>> 2 >> 1, -8 >>> 60 | 1, id << 1 + 1 FROM people

SELECT X '4A', x"6b", hex(X '') AS nothing

SELECT n + 1 AS n FROM VALUES 1, 2, -3 AS t(n)

SELECT * FROM VALUES 'a', ('b'), upper('c') t(c) WHERE c > 'A' ORDER BY c

SELECT overlay(encode(name, 'utf-8') PLACING encode('--', 'utf-8') FROM 2) AS b, trim(BOTH lower('A') FROM lower(name)) AS t
FROM people

SELECT TIME '12:13:14.5' > TIME '1:02:03' AS later, CAST(TIME '07:08:09' AS STRING) AS text,
  make_timestamp(born, TIME '10:20:30') AS at FROM people

-- error: SS5003
SELECT TIME '08:30:00' + '1'

-- error: SS5003
SELECT TIME '08:30:00' - DATE '2020-01-01'

SELECT CAST(INTERVAL '1-2' YEAR TO MONTH AS STRING) AS a, CAST(INTERVAL '01:30.5' MINUTE TO SECOND AS DECIMAL(9, 3)) AS b,
  CAST(INTERVAL '3 04' DAY TO HOUR AS STRING) AS c

SELECT map_zip_with(map(1BD, 'a'), map(2.5BD, 'b'), (k, x, y) -> k) AS a,
  map_zip_with(map(1, 'a'), map(2L, 'b'), (k, x, y) -> k) AS b,
  map_zip_with(map(1.5BD, 'a'), map(2D, 'b'), (k, x, y) -> concat_ws('/', x, y)) AS c

SELECT approx_count_distinct(city, 0.1) AS n FROM people

SELECT -(-9223372036854775807) AS a, -id AS b FROM people

SELECT length(CAST(b AS STRING)) AS n, regexp_count(b, X'DEAD') AS c, hex(CAST(CAST(b AS STRING) AS BINARY)) AS h FROM VALUES (X'DEADBEEF'), (X'41') AS t(b)

SELECT concat_ws(',', n, a, n) AS c, coalesce(n, array(1)) AS l FROM VALUES ('x', NULL), ('y', NULL) AS t(a, n)

SELECT 0.00 / nullif(-0.1, 0) AS q, 0.00 * id AS p FROM people

SELECT l[0].who, m['k'].n, element_at(l, 1).who AS e, get(l, 5).n AS g, filter(l, x -> x.n > 1)[0].who AS f,
  aggregate(l, 0, (acc, x) -> acc + x.n) AS s, map_filter(m, (k, v) -> v.n > 5) AS mf, map_values(m)[0].who AS v,
  nvl(r, l[1]).who AS nv, array_sort(l) AS so, transform_values(m, (k, v) -> v.who) AS tv, named_struct('p', r).p.n
FROM VALUES (array(named_struct('who', 'x', 'n', 1), named_struct('who', 'y', 'n', 2)),
  map('k', named_struct('who', 'm', 'n', 4)), named_struct('who', 'z', 'n', 3)) AS t(l, m, r)

SELECT collect_list(named_struct('n', r.n, 'x', r)) FILTER (WHERE r.n > 1) AS a, max(named_struct('w', r.who, 'r', r)) AS b,
  max_by(named_struct('a', r.n), r.n) AS c, array(first(r), named_struct('who', 'u', 'n', 7)) AS d, map('k', max(r)) AS e,
  named_struct('of', array(max(r)), 'q', named_struct('z', max(r))) AS f, transform(collect_list(r), x -> named_struct('m', x.n)) AS g
FROM VALUES (named_struct('who', 'z', 'n', 3)) AS t(r)

SELECT id, collect_list(named_struct('a', id, 'r', r)) OVER (ORDER BY id) AS a, array(r, named_struct('who', 'u', 'n', 7)) AS b,
  array(named_struct('who', 'u', 'n', 7), r) AS c, max(named_struct('x', r.n)) OVER () AS d,
  CASE WHEN id > 1 THEN named_struct('k', r) END AS e, coalesce(r, named_struct('who', 'n', 'n', 0)) AS f
FROM VALUES (1, named_struct('who', 'z', 'n', 3)), (2, NULL) AS t(id, r)

SELECT max(r).who, first(r).n AS f, min_by(r, r.n).who AS b, array_agg(r.n), array_agg(r.n)[0], any_value(r).who
FROM VALUES (named_struct('who', 'z', 'n', 3)) AS t(r)

SELECT id + n AS a, id - 1L AS b, n + d AS c, coalesce(n, id) AS e, n DIV id AS f, n / id AS g, n % 3L AS h,
  greatest(n, d) AS i, id + size(array(n)) AS j, n IN (id, 2) AS k, n BETWEEN id AND 7 AS l, n > d AS m,
  CAST(d AS SMALLINT) + n AS o, n | id AS p, CAST(n AS FLOAT) + n AS q, n + 1 BETWEEN id AND 3 AS r, n / 2 AS s
FROM VALUES (1, 2L, 1.5D), (-2147483648, 3L, 2D), (2147483646, 5L, -1D), (NULL, NULL, NULL) AS t(n, id, d)

SELECT CASE WHEN id > 100 THEN raise_error('x') ELSE id END AS x FROM people

SELECT count(DISTINCT *) AS rows, count(*) AS n FROM (SELECT city, age FROM people UNION ALL SELECT city, age FROM people)

SELECT city, count(* EXCEPT (id, name)) AS a, count(DISTINCT *, 1) FILTER (WHERE id > 2) AS b, count(*) AS n FROM people
GROUP BY city

-- error: SS5003
SELECT count(DISTINCT people.*) FROM people

-- error: SS5003
SELECT count(DISTINCT *)

SELECT nvl2(i, null, s), nvl(s, null), ifnull(null, s), nvl2(null, s, null), array_append(array(s), null), array_prepend(array(s), null), array_insert(array(s), 1, null), nvl(array(s), null) FROM (SELECT id AS i, struct(id AS a) AS s FROM range(2))

SELECT nullif(s, null), decode(s, null, 'x', 'y'), decode(null, d, 'x', 'y') FROM (SELECT struct(id AS a) AS s, make_dt_interval(1) AS d FROM range(2))

SELECT array_position(array(1), null), array_remove(array(1), null), array_position(array(null, 1), null), element_at(map(1, 2), null)

SELECT null / 1.5, null / CAST(id AS DECIMAL(10, 0)), 1.5 / null FROM range(2)

SELECT null + d, d + null, null - d, d - null FROM (SELECT make_dt_interval(1) AS d FROM range(2))

SELECT typeof(null + y), typeof(y + null), typeof(null - y), typeof(y - null) FROM (SELECT make_ym_interval(1) AS y FROM range(2))

-- error: SS5003
SELECT if('true', 1, 2)

-- error: SS5001
SELECT int '1'

-- error: SS5001
SELECT string 'a'

-- error: SS5003
SELECT sum(id) OVER (PARTITION BY map(id, 1)) FROM range(2)

-- error: SS5003
SELECT mode(DISTINCT id) FROM range(2)

-- error: SS5003
SELECT counter_diff(id) OVER () FROM range(2)

-- error: SS5003
SELECT counter_diff(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM range(2)

-- error: SS5003
SELECT counter_diff(id) OVER (ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM range(2)

SELECT counter_diff(id) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS d FROM range(2)

-- error: SS5003
SELECT DISTINCT array(map(1, 2))

SELECT string(- INTERVAL -1 MONTH 1 YEAR), string(INTERVAL '1-0' YEAR TO MONTH), string(INTERVAL 0 YEAR 12 MONTH),
INTERVAL '1 00:00:00' DAY TO SECOND, string(CAST(INTERVAL 11 MONTH AS INTERVAL YEAR TO MONTH))

SELECT string(if(id = 1, INTERVAL '0-11' YEAR TO MONTH, INTERVAL 1 MONTH)), string(array(INTERVAL '0-11' YEAR TO MONTH)),
CAST(INTERVAL '0-11' YEAR TO MONTH AS STRING), born + INTERVAL '0-11' YEAR TO MONTH FROM people

SELECT INTERVAL 1 DAY -2 HOURS, INTERVAL 1 HOUR - 1 DAY, INTERVAL '1' DAY -'2' HOURS +3 MINUTES,
string(INTERVAL -1 MONTH -1 YEAR), born + INTERVAL 1 YEAR -2 MONTHS, INTERVAL 1 DAY - INTERVAL 2 HOURS, INTERVAL 1 DAY -2 HOURS hours
FROM people

SELECT INTERVAL 1 DAYS 2 HOURS 3 MINUTES 4 SECONDS, INTERVAL 1 WEEK 2 DAYS 3 HOURS, string(INTERVAL 1 YEAR + INTERVAL 1 MONTH),
INTERVAL 1 DAY 2 HOURS + INTERVAL 3 MINUTES, timestamp(born) + (INTERVAL 1 DAY + INTERVAL 1 HOUR) FROM people

-- error: SS5001
SELECT INTERVAL id DAY FROM people

-- error: SS5003
-- spark: INVALID_INTERVAL_FORMAT.INVALID_FRACTION
SELECT INTERVAL 1.5 DAYS

SELECT named_struct(concat('a', 'b'), 1, upper('c'), 2), named_struct(if(true, 'x', 'y'), id), date_part('ye' || 'ar', born),
to_char(id, '9' || '9'), from_json('{"a":1}', concat('a', ' INT')), from_csv('1', 'a ' || 'INT') FROM people

SELECT id FROM range(cast('3' as int), length('abcdef')) UNION ALL SELECT id FROM range('3') UNION ALL SELECT id FROM range(2.5)

SELECT p.id, x.* FROM people p LATERAL VIEW stack(1 + 1, id, 'a', age, lower('B')) x AS n, l

-- error: SS5003
SELECT named_struct(name, 1) FROM people

-- error: SS5003
SELECT id FROM range(true)

-- error: SS5003
SELECT first(id, 1 = 1) FROM people

-- error: SS5003
SELECT like('a', 'a', upper('/'))

-- error: SS5003
SELECT id FROM people LIMIT 1S

SELECT aggregate(array(1, 2, id), struct(0 AS sum, 0 AS n), (acc, x) -> struct(acc.sum + x, acc.n + 1), acc -> acc.sum / acc.n),
reduce(array(1, id), named_struct('a', 0, 'b', 0), (acc, x) -> named_struct('b', acc.a + x, 'a', acc.b + 1)),
aggregate(array(1, id), array(struct(0 AS a)), (acc, x) -> array(struct(x AS b))) FROM people

-- error: SS5003
SELECT aggregate(array(1, 2), struct(0 AS a), (acc, x) -> struct(1L)) FROM people

SELECT -.5BD, (.5BD), 1+.5BD, array(.5BD)[0], .25e1BD, .5D, 5.BD

SELECT TIMESTAMP 'epoch', DATE 'epoch', TIMESTAMP_NTZ ' EPOCH '

SELECT extract(year FROM born), EXTRACT(YEAR FROM born), extract(Doy FROM born), extract(day FROM INTERVAL '1' DAY) FROM people

SELECT extract(year FROM born), count(*), sum(extract(YEAR FROM born)) FROM people GROUP BY EXTRACT(Year FROM born)

SELECT ceil(2.567, 1), floor(2.567, 1), ceil(2.5), ceiling(2.5, 1), approx_count_distinct(id, 0.05), atan2(1, 2) FROM people

SELECT from_json('{"b":[1, 2.5], "a":{"x":"y", "Z": null}}', schema_of_json('{"b":[1, 2.5], "a":{"x":"y", "Z": null}}')),
from_json('[{"a":1},{"b":true}]', schema_of_json('[{"a":1},{"b":true}]')), from_json(concat('{"k":', id, '}'), schema_of_json('{"k":1}')).k FROM people

-- error: SS5003
SELECT from_json('{"a":1}', schema_of_json(name)) FROM people

-- error: SS5003
SELECT from_json('1', 'BIGINT')

SELECT from_json('{"a":1,"b":[{"c":"x"}]}', '{"type":"struct","fields":[{"name":"a","type":"integer","nullable":false,"metadata":{}},
{"name":"b","type":{"type":"array","elementType":{"type":"struct","fields":[{"name":"c","type":"string","nullable":true,"metadata":{}}]},"containsNull":false},"nullable":true,"metadata":{}}]}') AS x,
from_json('[1]', '{"type":"array","elementType":"long","containsNull":false}')[0] + id AS y,
from_json('{"k":1.50}', ' {"type":"map","keyType":"string","valueType":"decimal(5,2)","valueContainsNull":true}').k AS z,
from_csv('1', '{"type":"struct","fields":[{"name":"_c0","type":"byte","nullable":true,"metadata":{}}]}') AS w FROM people

-- error: SS5003
SELECT from_json('1', '"string"')

-- error: SS5003
SELECT from_json('1', '{"type":"struct"}')

-- error: SS5003
SELECT from_json('1', '{"type":"array","elementType":"integer"')

-- error: SS5003
SELECT from_json('1', '{"type":"array","elementType":"int4","containsNull":true}')

SELECT INTERVAL '-100' DAY '40' HOUR '80' MINUTE '299.889987299' SECOND, INTERVAL '-299.889987299' SECOND

SELECT nullif(l, array()) AS n, l = array() AS e, coalesce(l, array()) AS c
FROM VALUES (array(named_struct('a', 1))), (array()), (NULL) AS v(l)

SELECT CASE WHEN x > 1 THEN l END AS p, CASE WHEN x > 1 THEN l ELSE array(named_struct('a', 2)) END AS q
FROM VALUES (1, array(named_struct('a', 1))), (2, array()), (3, NULL) AS v(x, l)

SELECT hypot(x, 2) AS h, cbrt(x) AS c, pmod(x, 3S) AS m, atan2(d, d) AS a, pmod(d, 2) AS n, cbrt(d) AS e, log(2, x) AS l
FROM VALUES (1, 1.50BD), (8, 2.25BD) AS v(x, d)

SELECT filter(array(1, 5, 9), e -> e >= x AND e <= 5) AS f FROM VALUES (1), (6) AS v(x)

SELECT try_divide(CAST(1 AS BIGINT), CAST(3 AS DECIMAL(38, 10))), try_multiply(CAST(3 AS BIGINT), CAST(1.5 AS DECIMAL(30, 20))), try_mod(CAST(1 AS BIGINT), CAST(3 AS DECIMAL(38, 10)))

SELECT pmod(CAST(-1 AS BIGINT), CAST(150.50 AS DECIMAL(5, 2))), pmod(wage, 7), pmod(wage, CAST(7 AS BIGINT)), mod(CAST(-1 AS INT), CAST(3 AS DECIMAL(5, 2))), try_add(CAST(1 AS SMALLINT), wage), try_subtract(1S, wage) FROM people

SELECT try_add(1, 'a'), try_subtract(1, 'a'), try_multiply('x', 2), try_divide(1, 'a'), try_mod(1, 'z'), try_add(1, name), NULL div NULL, to_binary('ab', NULL), trim('xy', 'xyaxy') FROM people

SELECT transform(array(1, 2, 3), 'hello'), zip_with(array(1, 2), array(3, 4), 'x'), filter(array(1, 2), true), exists(array(1), false), map_filter(map(1, 2), true), map_zip_with(map(1, 2), map(1, 3), 7), aggregate(array(1, 2, 3), 0, (a, x) -> a + x, 5), transform(array(1, 2), age) FROM people

-- error: SS5003
SELECT transform(array(1), (SELECT 1))

SELECT listagg(DISTINCT age, ',') WITHIN GROUP (ORDER BY age) FROM people

SELECT city, listagg(DISTINCT born, ';') WITHIN GROUP (ORDER BY born DESC) FROM people GROUP BY city

SELECT listagg(DISTINCT CAST(id AS STRING)) WITHIN GROUP (ORDER BY id) FROM people

SELECT id, name, (age > 26) = like(name, '%a'), 'x' || like(name, 'A%'), NOT ilike(city, 'ro_e'), rlike(name, 'e') IS NULL FROM people

SELECT id FROM people WHERE true = like(name, 'B%') OR or(id = 1, and(age > 40, NOT like(city, 'O%')))

SELECT 1 + div(id, 2) * 3, -div(id, 2), id BETWEEN div(age, 10) AND div(age, 2), id IN (div(age, 10), 3), like('a' = name, 'false') FROM people

SELECT city, count(*) FILTER (WHERE or(id = 1, id = 2)), max(div(id, 2)) OVER (PARTITION BY and(city > 'C', true)) FROM people GROUP BY city, id ORDER BY div(id, 2), city

FROM people |> EXTEND div(id, 2) AS half |> WHERE like(half::STRING, '1') |> AGGREGATE and(max(id) > 0, true) AS x

SELECT name LIKE ('A%'), name NOT LIKE ('A%'), NOT name LIKE ('A%'), id DIV (2), CASE WHEN id > 2 THEN name END LIKE ('C%') FROM people

SELECT id !< 3, id!>3, age !> id AND 1 !< 2, '!'<name FROM people

-- error: and takes 2 arguments, not 3
SELECT and(id > 1, id > 2, id > 3) FROM people

-- error: or takes 2 arguments, not 1
SELECT or(id > 1) FROM people

-- error: div takes 2 arguments, not 3
SELECT div(id, 2, 1) FROM people

-- error: like takes 2 or 3 arguments, not 4
SELECT like(name, 'a', '!', 'x') FROM people

-- error: ilike takes 2 or 3 arguments, not 0
SELECT ilike() FROM people

-- error: rlike takes 2 arguments, not 3
SELECT rlike(name, 'b', 'c') FROM people

SELECT id, (age > 30) = NOT (id > 2) = true, (id > 1) <> not(age > 30) IS NULL, true = not(id > 1) IN (false), 'x' || not(id > 1) || 'y', NOT (id > 1) = false FROM people

-- error: NOT wants brackets around it and what it denies here
SELECT (id > 1) = NOT age > 30 FROM people

-- error: ! wants brackets around it and what it denies here
SELECT (id > 1) = !(age > 30) FROM people

-- error: NOT wants BOOLEAN
SELECT true = not(id > 1, id > 2) FROM people

FROM people |> EXTEND id > 1 AS q, id = 2 AS r |> SET q = NOT (q) = true, r = NOT r |> SET q = q = NOT (r) = true |> SELECT id, q, r

SELECT get(l, 2147483647L) AS a, get(l, 0L) AS b, try_element_at(l, -2147483647) AS c FROM (SELECT array(id) AS l FROM people)
