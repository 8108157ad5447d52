SELECT
  id
FROM emp
WHERE
  (dept, salary) IN (
    SELECT
      d,
      s
    FROM VALUES
      (10L, 300L),
      (20L, CAST(NULL AS BIGINT)),
      (10L, 200L) AS rows(d, s)
  )
