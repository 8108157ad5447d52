"""From a plan to SELECTs: one function per relation and per expression."""
