SELECT
  id,
  (
    SELECT
      sum(value)
    FROM (
      SELECT
        1 AS value,
        (
          SELECT
            CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
          FROM (
            SELECT
              rows_computed.head = emp.id AS matches
            FROM emp
            WHERE
              emp.salary > 250
          ) AS emp_part
        ) AS value_2
      FROM (
        SELECT
          dept_2.head
      ) AS rows_computed
      UNION ALL
      SELECT
        2,
        EXISTS(
          SELECT
            1
          FROM emp
          WHERE
            emp.dept = rows_part.id AND 3 < emp.id
        )
      FROM (
        SELECT
          dept_2.id
      ) AS rows_part
    ) AS rows_computed_union
    WHERE
      value_2
  ) AS n
FROM dept AS dept_2
