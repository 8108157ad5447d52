"""Facts of a plan, without SQL: producers, join types, shapes, scopes, widths, messages that rewritings add."""
