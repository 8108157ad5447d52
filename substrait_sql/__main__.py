"""``python -m substrait_sql`` is the command ``substrait-sql``."""

from substrait_sql.cli import main

if __name__ == "__main__":
    main()
