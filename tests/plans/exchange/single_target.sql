SELECT /*+ REPARTITION(2) */
  id,
  name,
  head
FROM dept
