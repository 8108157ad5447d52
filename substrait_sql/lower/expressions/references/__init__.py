"""Field references, steps into nested values, masks."""
