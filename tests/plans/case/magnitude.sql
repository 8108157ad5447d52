SELECT
  abs(k) AS size,
  abs(k) AS other_side,
  CASE WHEN k < 0 THEN k ELSE 0 - k END AS negative,
  CASE WHEN k < 1 THEN 1 - k ELSE k END AS one,
  CASE WHEN x < 0.0D THEN 0.0D - x ELSE x END AS float
FROM VALUES
  (-3L, -1.5D),
  (CAST(NULL AS BIGINT), -0.0D),
  (0L, CAST('NaN' AS DOUBLE)),
  (4L, CAST(NULL AS DOUBLE)) AS rows(k, x)
