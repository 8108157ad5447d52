SELECT /*+ REPARTITION(2, id) */
  id
FROM dept
