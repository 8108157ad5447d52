"""Facts of a plan, without SQL: producers and their deviations, join types, shapes, scopes, widths, messages that rewritings add."""
