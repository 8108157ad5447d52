"""AggregateRel: groups and grouping sets."""
