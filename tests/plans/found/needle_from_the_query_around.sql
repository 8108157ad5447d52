SELECT
  id,
  (
    SELECT
      count(*)
    FROM (
      SELECT
        dept_2.head
      FROM emp
    ) AS emp_computed
    WHERE
      CASE
        WHEN EXISTS(
          SELECT
            1
          FROM r
          WHERE
            emp_computed.head = r.k
        )
        THEN TRUE
        WHEN EXISTS(
          SELECT
            1
          FROM r
          WHERE
            (emp_computed.head = r.k) IS NULL
        )
        THEN NULL
        ELSE FALSE
      END IS NULL
  ) AS n
FROM dept AS dept_2
