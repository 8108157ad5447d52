"""Where the columns of tables are known from: mappings, files, folders of Parquet files, a session."""
