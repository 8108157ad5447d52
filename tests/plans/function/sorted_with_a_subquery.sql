SELECT
  a,
  reverse(array_sort(computed)) AS sorted
FROM (
  SELECT
    a,
    array((
      SELECT
        count(*)
      FROM l AS l_2
      WHERE
        l_2.k = l.k
    ), k) AS computed
  FROM l
) AS l_computed
