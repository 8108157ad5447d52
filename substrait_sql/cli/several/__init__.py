"""Several plans at a time: processes, and what ends them."""
