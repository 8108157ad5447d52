"""Statements of Spark SQL that are drawn, by `spark.sql` and by their plans.

python -m tests.lift.drawn --count 3000 --seed 1
"""
