"""What is no Python of ours: the folder of the package, and ``dialects/`` and ``templates/``.

Those are beside the package in a checkout, inside it in a wheel. Where the package is imported from a zip, as of
``spark-submit --py-files``, all of it is unpacked for as long as the process lives.
"""

from __future__ import annotations

from pathlib import Path

_OURS = ("substrait_sql/", "dialects/", "templates/")


def _on_disk() -> Path:
    """The folder of the package, or a copy of what it holds besides Python."""
    package = Path(__file__).parent
    if package.is_dir():
        return package
    import atexit
    import shutil
    import tempfile
    from zipfile import ZipFile

    folder = Path(tempfile.mkdtemp(prefix="substrait-sql-data-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with ZipFile(next(p for p in package.parents if p.is_file())) as archive:
        found = (n for n in archive.namelist() if n.startswith(_OURS) and not n.endswith(".py"))
        archive.extractall(folder, found)
    return folder / package.name


PACKAGE = _on_disk()
ROOT = PACKAGE if (PACKAGE / "dialects").is_dir() else PACKAGE.parent
DIALECTS = ROOT / "dialects"
TEMPLATES = ROOT / "templates"
