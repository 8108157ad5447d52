SELECT
  id,
  (
    SELECT
      count(*)
    FROM (
      SELECT
        row_number() OVER (ORDER BY id) AS row_number,
        CASE
          WHEN (
            SELECT
              CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
            FROM (
              SELECT
                emp_computed.head = emp.id AS matches
              FROM emp
              WHERE
                emp.salary > 250
            ) AS emp_part
          )
          THEN 1
          WHEN NOT (
            SELECT
              CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
            FROM (
              SELECT
                emp_computed.head = emp.id AS matches
              FROM emp
              WHERE
                emp.salary > 250
            ) AS emp_part
          )
          THEN 2
        END AS count
      FROM (
        SELECT
          emp.id,
          dept_2.head
        FROM emp
      ) AS emp_computed
    ) AS emp_ranked
    WHERE
      CASE
        WHEN count < 0 THEN raise_error('the number of rows to skip or to keep is negative')
        ELSE coalesce(row_number <= count, TRUE)
      END
  ) AS n
FROM dept AS dept_2
