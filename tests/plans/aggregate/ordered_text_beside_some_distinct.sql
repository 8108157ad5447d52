SELECT
  array_join(
    nullif(
      transform(
        array_sort(
          collect_list(
            CASE WHEN s IS NOT NULL THEN named_struct('f0', place, 'f1', s) END
          ) FILTER (WHERE n > 1)
        ),
        x -> x.f1
      ),
      array()
    ),
    ','
  ) AS names,
  count(DISTINCT n) FILTER (WHERE k > 1) AS n
FROM (
  SELECT
    k,
    s,
    n,
    row_number() OVER (ORDER BY s NULLS LAST) AS place
  FROM VALUES
    (1L, 'b', 3L),
    (1L, 'a', 3L),
    (2L, 'b', 1L),
    (2L, CAST(NULL AS STRING), 2L),
    (3L, CAST(NULL AS STRING), 2L) AS rows(k, s, n)
) AS rows_ranked
