SELECT
  dept,
  n,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM dept
      WHERE
        emp_agg.dept = dept.id
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM dept
      WHERE
        (emp_agg.dept = dept.id) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS known
FROM (
  SELECT
    dept,
    count(*) AS n
  FROM emp
  GROUP BY
    dept
) AS emp_agg
