SELECT
  dept,
  dept + 1 AS next
FROM emp
GROUP BY
  dept
