SELECT /*+ REPARTITION(4, id) */
  id,
  name,
  head
FROM dept
