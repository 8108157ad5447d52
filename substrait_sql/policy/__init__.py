"""What a plan will touch, and whether that is allowed: both before anything of it runs, and without Spark."""
