"""The specification as a small, slow interpreter over Python lists, and plans drawn at random.

Nothing here knows how the package lowers a plan: only `run.py` and the tests bring the two together.
"""
