"""The tables that a plan reads, against those that are there."""
