SELECT rand() < 2, random(1), rand(1 + 1), randn(3), length(uuid()), uuid() IS NULL, shuffle(array(1), 3), length(randstr(5)) FROM people

SELECT uniform(1, 10, 7), uniform(0D, 1D) < 1, randstr(4, 0), spark_partition_id() >= 0, monotonically_increasing_id() >= 0 FROM people

SELECT id, rand(5) AS r FROM people

SELECT id FROM people WHERE rand() < 2 AND id > 1

SELECT id FROM people WHERE rand() > 2

SELECT id FROM people WHERE rand() >= 0 AND id > 1

SELECT id FROM people WHERE id > 1 OR rand() >= 0

SELECT id FROM people ORDER BY rand()

SELECT city, count(*) FROM people GROUP BY city HAVING rand() < 2

SELECT max(id) + rand() > 0 FROM people

SELECT rand() < 2 AS r, count(*) FROM people GROUP BY r

SELECT rand() < 2 AS r, count(*) FROM people GROUP BY ALL

SELECT DISTINCT city, rand() < 2 AS r FROM people ORDER BY r

SELECT id, row_number() OVER (ORDER BY rand()) < 9, sum(rand()) OVER () > 0 FROM people

SELECT id FROM people QUALIFY row_number() OVER (PARTITION BY rand() < 2 ORDER BY id) > 2

SELECT rand() BETWEEN 0 AND 1, rand() IN (2, 3), nullif(rand(), 2) < 2, coalesce(rand(), 1) < 2, if(rand() < 0, 1, 2) FROM people

SELECT rand() IS DISTINCT FROM 2, rand() - rand() = 0, r = r FROM (SELECT rand() AS r FROM people)

WITH x AS (SELECT id, rand() AS r FROM people) SELECT count(*) FROM x JOIN x AS y ON x.id = y.id AND x.r = y.r

WITH x AS (SELECT id, rand() AS r FROM people) SELECT id, (SELECT max(r) FROM x WHERE x.id <= people.id) < 2 AS m FROM people

WITH x AS (SELECT rand() AS r) SELECT count(DISTINCT q) FROM (SELECT (SELECT r FROM x) AS q FROM people)

SELECT count(*) FROM (SELECT rand() AS r) AS x JOIN (SELECT rand() AS r) AS y ON x.r = y.r

SELECT count(*) FROM (SELECT rand() AS r FROM people UNION ALL SELECT rand() AS r FROM people) GROUP BY r HAVING count(*) > 1

FROM people |> WHERE rand() >= 0 |> EXTEND rand() < 2 AS q |> SET q = NOT q |> SELECT id, q

-- error: SS5003
SELECT count(rand()) FROM people

-- error: SS5003
SELECT count(*) FILTER (WHERE rand() < 2) FROM people

-- error: SS5003
SELECT * FROM people JOIN orders ON rand() > 2

-- error: SS5003
SELECT * FROM VALUES (rand()), (1) AS v(x)

-- error: SS5003
SELECT rand() < 2 AS r, count(*) FROM people GROUP BY ROLLUP(r)

-- error: SS5003
SELECT rand(id) FROM people

-- error: SS5007
SELECT rand() FROM people GROUP BY rand()

-- error: SS5007
SELECT rand() AS r, r AS s FROM people

-- error: SS5007
SELECT rand() AS r FROM people ORDER BY r + id

-- error: SS5007
SELECT CASE rand() WHEN 2 THEN 1 WHEN 3 THEN 2 END FROM people

-- error: SS5007
SELECT id, (SELECT rand()) < 2 AS r FROM people

-- error: SS5007
SELECT id FROM people WHERE EXISTS (SELECT 1 FROM orders WHERE person = id AND rand() < 2)

-- error: SS5007
SELECT id FROM people WHERE rand() IN (SELECT 2)

-- error: SS5007
SELECT transform(array(id), x -> x + rand()) FROM people

-- error: SS5007
SELECT explode(array(rand() > 2, true)) AS x FROM people

-- error: SS5007
SELECT input_file_name() FROM people
