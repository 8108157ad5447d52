SELECT
  array_join(nullif(array_sort(collect_set(s) FILTER (WHERE n > 1)), array()), ',') AS names
FROM VALUES
  (1L, 'b', 3L),
  (1L, 'a', 3L),
  (2L, 'b', 1L),
  (2L, CAST(NULL AS STRING), 2L),
  (3L, CAST(NULL AS STRING), 2L) AS rows(k, s, n)
