"""Plans as parts of what other tools build: a dbt project (`substrait_sql.export.dbt`)."""
