SELECT /*+ REPARTITION(name) */
  name
FROM dept
