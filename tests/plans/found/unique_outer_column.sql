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
      WHERE
        dept_2.head IS NOT NULL
    ) AS emp_part
    GROUP BY
      head
    HAVING
      count(*) > 1
  )
