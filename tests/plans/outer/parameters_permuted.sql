SELECT
  ent,
  (
    SELECT
      count(*)
    FROM audit_records
    WHERE
      audit_records.entity_id = rows.ent AND audit_records.amount < rows.lim
  ) AS n
FROM VALUES
  (100, 10L),
  (50, 21L) AS rows(lim, ent)
