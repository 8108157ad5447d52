"""Calls of scalar and aggregate functions."""
