SELECT
  k,
  concat(upper(left(max_a, 1)), substring(max_a, 2)) AS largest
FROM (
  SELECT
    k,
    (
      SELECT
        max(l_2.a)
      FROM l AS l_2
      WHERE
        l_2.k = l.k
    ) AS max_a
  FROM l
) AS l_computed
