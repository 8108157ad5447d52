"""Relations over one input: filter, project, sort, fetch, and their kin."""
