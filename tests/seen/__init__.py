"""What can be seen of a run, and how it ends early."""
