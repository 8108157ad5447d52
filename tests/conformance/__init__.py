"""Function cases in the specification's `.test` format, each run on Spark as a real Substrait plan.

The official ones come with the `substrait-extensions` package; ours, in the same format, are in `cases/`.
`python -m tests.conformance --help` says how to run them.
"""
