SELECT
  id
FROM dept AS dept_2
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM (
      SELECT
        dept_2.head
      FROM emp
    ) AS emp_rows
    WHERE
      head IS NOT NULL
    GROUP BY
      head
    HAVING
      count(*) > 1
  )
