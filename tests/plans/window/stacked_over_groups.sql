SELECT
  k,
  d,
  place
FROM (
  SELECT
    k,
    sum(v) - sum(sum(v)) OVER () AS d,
    CAST(row_number() OVER (ORDER BY sum(v) DESC) AS BIGINT) AS place,
    max(id) AS max_id
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
  GROUP BY
    k
  HAVING
    count(*) > 1
) AS rows_ranked
ORDER BY
  max_id DESC
