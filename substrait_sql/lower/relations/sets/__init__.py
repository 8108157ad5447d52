"""SetRel: unions, intersections, differences."""
