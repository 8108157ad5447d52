SELECT
  count(DISTINCT salary) AS salaries,
  sum(DISTINCT salary) AS total,
  count(DISTINCT dept) AS depts
FROM emp
