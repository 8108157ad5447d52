SELECT /*+ REPARTITION(2) */
  name
FROM dept
ORDER BY
  name
