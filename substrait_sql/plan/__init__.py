"""Facts of a plan, without SQL: producers and their deviations, scopes, widths, messages that rewritings add."""
