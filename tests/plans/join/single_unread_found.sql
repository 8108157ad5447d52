SELECT
  a
FROM (
  SELECT
    a,
    (
      SELECT
        named_struct('found_2', 1, 'k', k, 'found', found)
      FROM VALUES
        (1L, 5L),
        (9L, CAST(NULL AS BIGINT)) AS rows(k, found)
      WHERE
        l.k = k
    ) AS matched
  FROM l
) AS l_matched
WHERE
  coalesce(matched.found_2 = 1, TRUE)
