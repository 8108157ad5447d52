"""Plans that change something: what their statements do, and the rows that these need."""
