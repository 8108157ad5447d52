SELECT k, aggregate(items, struct(0 AS n, 0 AS total), (a, i) -> struct(a.n + 1 AS n, a.total + coalesce(i.q, 0) AS total),
    a -> IF(a.n > 0, a.total / a.n, NULL)) AS mean,
  aggregate(items, struct(0 AS c), (a, i) -> struct(a.c + 1 AS c)) AS counted,
  reduce(items, named_struct('sku', '', 'q', 0), (a, i) -> CASE WHEN i.q > a.q THEN i ELSE a END) AS most,
  aggregate(items, CAST(NULL AS STRUCT<c: INT>), (a, i) -> struct(coalesce(a.c, 0) + 1 AS c)).c AS from_null,
  aggregate(items, named_struct('sku', '', 'q', 0), (a, i) -> named_struct('sku', i.sku, 'q', greatest(a.q, i.q))) AS last
FROM VALUES (1, array(named_struct('sku', 'x', 'q', 3), named_struct('sku', 'y', 'q', NULL))), (2, array()), (3, NULL) AS t(k, items)

SELECT aggregate(collect_list(struct(id, age)), struct(0 AS n, 0 AS s), (a, x) -> struct(a.n + 1 AS n, a.s + coalesce(x.age, 0) AS s),
    a -> a.s / a.n) AS mean
FROM people

SELECT k, zip_with(items, array(struct(1 AS c)), (a, b) -> a.q + b.c) AS a,
  zip_with(array(struct('m' AS sku, 1 AS q)), items, (a, b) -> struct(a.q AS x, b.sku AS y)) AS b,
  map_zip_with(map(1, get(items, 0)), map(1, struct(k AS n)), (i, x, y) -> concat(x.sku, y.n)) AS c,
  transform(items, i -> zip_with(items, array(struct(i.q AS c)), (a, b) -> a.q + b.c)) AS d
FROM VALUES (1, array(named_struct('sku', 'x', 'q', 3), named_struct('sku', 'y', 'q', NULL))), (2, array()), (3, NULL) AS t(k, items)

SELECT aggregate(array(id), array(struct(0 AS c)), (a, i) -> array_append(a, struct(i AS c))) AS a,
  aggregate(array(id), array(struct(0 AS c)), (a, i) -> concat(a, array(struct(i AS c)))) AS b,
  aggregate(array(id), array(struct(0 AS c)), (a, i) -> array_union(a, array(struct(i AS c)))) AS c,
  aggregate(array(id, 0), array(struct(0 AS c)), (a, i) -> array_remove(a, struct(i AS c))) AS d,
  aggregate(array(id), map('a', struct(0 AS c)), (a, i) -> map_concat(map_filter(a, (x, y) -> x <> 'n'), map('n', struct(i AS c)))) AS e,
  aggregate(sequence(1, 5), array(struct(0 AS a, 1 AS b)),
    (acc, x) -> concat(acc, array(struct(element_at(acc, -1).b AS a, element_at(acc, -1).a + element_at(acc, -1).b AS b)))) AS fibonacci,
  aggregate(array(1, 2), struct(0 AS x, array(struct(id AS y)) AS l), (a, i) -> struct(a.x + i AS x, array_append(a.l, struct(i AS y)) AS l)) AS f
FROM people

SELECT k, array_append(array_append(items, named_struct('sku', 'a', 'q', 1)), named_struct('sku', 'b', 'q', 2)) AS a,
  array_append(zip_with(items, items, (a, b) -> a), struct('a' AS sku, 2 AS q)) AS b,
  array_position(transform(items, i -> i), struct('x' AS sku, 3 AS q)) AS c,
  transform(array(struct(1 AS c)), i -> array_append(array(i), struct(2 AS c))) AS d,
  aggregate(items, filter(items, x -> x.q > 100), (a, i) -> array_append(a, struct(i.sku AS sku, 1 AS q))) AS e,
  array_append(struct(items AS i).i, struct('z' AS sku, 9 AS q)) AS f,
  array_union(transform(items, i -> i), items) AS g,
  aggregate(items, array(struct('' AS sku, 0 AS q)), (a, i) -> array_append(a, i)) AS h
FROM VALUES (1, array(named_struct('sku', 'x', 'q', 3), named_struct('sku', 'y', 'q', 4))), (2, array()), (3, NULL) AS t(k, items)

SELECT aggregate(array(1, 2), s, (acc, i) -> struct(acc.a + i AS a, concat(acc.b, i) AS b)) AS a,
  aggregate(array(s, NULL), struct(0 AS a, 'x' AS b), (acc, i) -> coalesce(i, acc)) AS b,
  array_append(array(s), struct(1 AS a, 'x' AS b)) AS c, array_contains(array(struct(1 AS a, 'x' AS b)), s) AS d,
  aggregate(array(s), 0, (acc, i) -> acc + i.a) AS e, array_append(array(struct(1 AS a, 'x' AS b)), s)[1].b AS f
FROM nested

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT named_struct('a', id AS b) FROM people

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT array(1 AS a)

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT max(id AS a) FROM people

-- error: SS5001
-- spark: PARSE_SYNTAX_ERROR
SELECT date('2022-01-01 00:00:00' AS timestamp)
