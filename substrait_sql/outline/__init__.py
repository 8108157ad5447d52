"""`explain`: a plan as a tree of relations."""
