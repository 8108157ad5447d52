SELECT
  sum(DISTINCT salary) FILTER (WHERE id > 2) AS total
FROM emp
