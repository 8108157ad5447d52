"""ReadRel: tables, files, rows in the plan."""
