"""What helps a reviewer beside the SQL of one plan."""
