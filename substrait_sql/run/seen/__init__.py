"""What can be seen of a run, and how it ends early: descriptions and tags of jobs, progress, records, signals."""
