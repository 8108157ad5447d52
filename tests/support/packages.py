"""The package as a user gets it: a copy of the checkout, a wheel, and fresh environments to install it in.

The environments borrow the dependencies of the one that runs the tests through a .pth file: nothing is downloaded.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]
TREE = ("substrait_sql", "dialects", "templates", "pyproject.toml", "README.md", "LICENSE")
_QUIETLY = (
    "--quiet",
    "--no-deps",
    "--no-build-isolation",
    "--no-index",
    "--disable-pip-version-check",
)


def copied(folder: Path) -> Path:
    """What a clone holds, without what this folder has gathered since."""
    folder.mkdir(exist_ok=True)
    for name in TREE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def python(folder: Path) -> Path:
    """That of an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def call(*command: object, cwd: Path, **variables: str) -> str:
    """What a command prints, outside of our environment; it must not fail."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(c) for c in command],
        cwd=cwd, env=environment | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def environment(folder: Path) -> Path:
    """An environment that sees the dependencies installed here, but not our own package."""
    call(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    paths = {"base": str(folder), "platbase": str(folder)}
    purelib = Path(sysconfig.get_path("purelib", "venv", paths))
    # A plain line adds a folder but does not read the .pth files in it: our editable install stays
    # out of sight. (What hatchling copies for it, the data without the package, is no package.)
    (purelib / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = (
        "import importlib.util as u; print(getattr(u.find_spec('substrait_sql'), 'origin', None))"
    )
    assert call(python(folder), "-c", where, cwd=folder).strip() == "None"
    return folder


def install(folder: Path, *what: object, cwd: Path) -> None:
    """Run this environment's pip for the other one; nothing is downloaded."""
    pip = (sys.executable, "-m", "pip", f"--python={python(folder)}")
    call(*pip, "install", *_QUIETLY, *what, cwd=cwd)


def wheel(checkout: Path, folder: Path) -> Path:
    """The wheel of a checkout, made in a folder."""
    pip = (sys.executable, "-m", "pip")
    call(*pip, "wheel", *_QUIETLY, "--wheel-dir", folder, checkout, cwd=folder)
    (made,) = folder.glob("*.whl")
    return made
