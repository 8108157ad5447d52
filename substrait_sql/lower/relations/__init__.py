"""Relations, one file per member of ``Rel``."""
