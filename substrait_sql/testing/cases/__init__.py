"""Function cases in the specification's `.test` format, each as a real Substrait plan.

The official ones come with the `substrait-extensions` package, which has the grammar's cases in its `testcases`.
"""
