SELECT
  k,
  array_join(nullif(reverse(array_sort(collect_set(s))), array()), ',') AS names,
  count(DISTINCT n) AS n
FROM VALUES
  (1L, 'b', 3L),
  (1L, 'a', 3L),
  (2L, 'b', 1L),
  (2L, CAST(NULL AS STRING), 2L),
  (3L, CAST(NULL AS STRING), 2L) AS rows(k, s, n)
GROUP BY
  k
