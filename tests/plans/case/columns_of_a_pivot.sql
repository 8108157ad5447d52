SELECT
  k,
  sum_v_sunday - sum_v_monday AS more,
  n
FROM (
  SELECT
    k,
    sum(CASE WHEN d = 'Sunday' THEN v END) AS sum_v_sunday,
    sum(CASE WHEN d = 'Monday' THEN v END) AS sum_v_monday,
    sum(CASE d WHEN 'It\'s; no day' THEN v ELSE 0 END) AS n,
    max(CASE WHEN i = 7 THEN v END) AS max_v_i_7,
    max(CASE WHEN i > 7 THEN v END) AS max_v
  FROM VALUES
    ('a', 'Sunday', 7, 3L),
    ('a', 'Monday', 7, 1L),
    ('b', 'Sunday', 8, 5L),
    ('b', 'It\'s; no day', 9, 2L),
    ('c', CAST(NULL AS STRING), CAST(NULL AS INT), 4L) AS rows(k, d, i, v)
  GROUP BY
    k
  ORDER BY
    k
  LIMIT 3
) AS rows_top
WHERE
  max_v_i_7 IS NOT NULL OR max_v IS NOT NULL
ORDER BY
  k
