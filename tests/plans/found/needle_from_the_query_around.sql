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
      (
        SELECT
          CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
        FROM (
          SELECT
            emp_computed.head = r.k AS matches
          FROM r
        ) AS r_rows
      ) IS NULL
  ) AS n
FROM dept AS dept_2
