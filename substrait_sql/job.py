"""The command ``run`` as a job: the script of ``spark-submit``, or ``python -m substrait_sql.job``.

    spark-submit --master spark://host:7077 …/substrait_sql/job.py --tables /data plan.pb

Takes the options of ``substrait-sql run``; the session is the one that spark-submit has set up.
"""

import os
import sys

_FOLDER = os.path.dirname(os.path.realpath(__file__))
if os.path.realpath(sys.path[0]) == _FOLDER and os.path.exists(f"{_FOLDER}/resources.py"):
    # Python puts the folder of a script first: our modules would be found instead of Python's own ones.
    del sys.path[0]
    if os.path.dirname(_FOLDER) not in sys.path:
        sys.path.insert(0, os.path.dirname(_FOLDER))

if __name__ == "__main__":
    from substrait_sql.cli import main

    main(["run", *sys.argv[1:]])
