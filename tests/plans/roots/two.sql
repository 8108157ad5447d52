SELECT
  name
FROM dept;

SELECT
  count(*) AS n
FROM emp
