"""`diff`: what changed from one plan or text to another, in its SQL and in its meaning."""
