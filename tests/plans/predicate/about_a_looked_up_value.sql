SELECT
  dept_matched.id,
  dept_matched.matched.salary AS salary
FROM (
  SELECT
    id,
    (
      SELECT
        named_struct('id', emp.id, 'name', emp.name, 'dept', emp.dept, 'salary', emp.salary)
      FROM emp
      WHERE
        dept_2.head = emp.id
    ) AS matched
  FROM dept AS dept_2
) AS dept_matched, LATERAL explode(array(dept_matched.matched)) AS dept_matched_apart
WHERE
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        dept_matched_apart.col.salary < emp.salary AS matches
      FROM emp
    ) AS emp_rows
  ) IS NULL
