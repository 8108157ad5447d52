SELECT
  id,
  (
    SELECT
      count(*)
    FROM dept
    WHERE
      dept.id > people.id
  ) AS above,
  (
    SELECT
      count(*)
    FROM dept
    WHERE
      CAST(dept.id AS INT) = people.addr.zip
  ) AS same_zip
FROM people
