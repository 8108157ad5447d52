SELECT
  string_agg(DISTINCT s, ',') WITHIN GROUP (ORDER BY s DESC) AS names
FROM VALUES
  (1L, 'b'),
  (2L, 'a'),
  (3L, 'b') AS rows(id, s)
