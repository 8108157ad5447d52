SELECT
  count(*) AS n
FROM (
  SELECT /*+ REPARTITION(3) */
    1
  FROM dept
) AS dept_rows
