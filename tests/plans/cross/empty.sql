SELECT
  dept.id,
  dept.name,
  dept.head,
  rows_part.k,
  rows_part.b
FROM dept, (
  SELECT
    CAST(NULL AS BIGINT) AS k,
    CAST(NULL AS BIGINT) AS b
  WHERE
    FALSE
) AS rows_part
