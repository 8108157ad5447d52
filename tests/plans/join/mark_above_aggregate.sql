SELECT
  dept,
  n,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM dept
      WHERE
        dept.head > 0 AND emp_agg.dept = dept.id
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM dept
      WHERE
        dept.head > 0 AND (emp_agg.dept = dept.id) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
FROM (
  SELECT
    dept,
    count(*) AS n
  FROM emp
  GROUP BY
    dept
) AS emp_agg
