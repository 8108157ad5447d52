"""What our package can be installed beside: ``python -m tests.tools.environments [-k TEXT] [--write]``.

For each entry of `tests/support/environments.yaml` a fresh environment, with a wheel made of this checkout and what the
entry names. There `pip check` has to find nothing; the golden plans, the demo and the shipped example have to become
the texts that they become here, in every dialect that ships; and the demo runs, where there is a PySpark that it can
run with. ``--write`` puts the table, or these lines of it, into docs/dependencies.md. It takes some minutes, and some
gigabytes for as long as it takes. Uses `uv` where the PATH has it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

import substrait_sql
from substrait_sql import demo
from substrait_sql.errors import SubstraitSqlError
from tests.golden.test_plans import FILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).parents[2]
ENTRIES = ROOT / "tests" / "support" / "environments.yaml"
PROGRAM = ROOT / "tests" / "support" / "installed.py"
PAGE = ROOT / "docs" / "dependencies.md"
BEGIN = "<!-- environments: make environments -->"
END = "<!-- environments end -->"
HEAD = (
    "| beside | its release | sqlglot | protobuf | substrait | PySpark | `pip check` | golden texts | all texts "
    "| demo |"
)
OURS = ("sqlglot", "protobuf", "substrait")
DIALECTS = ("spark", "spark40", "spark35", "databricks")
EXAMPLE = ROOT / "docs" / "examples" / "custom_functions"


@dataclass
class Found:
    """What came of one entry. wrong: what is not as it has to be."""

    name: str
    releases: Mapping[str, str] = field(default_factory=dict)
    checked: str = ""
    golden: str = ""
    every: str = ""
    demo: str = ""
    wrong: list[str] = field(default_factory=list)

    def line(self, packages: Sequence[str]) -> str:
        said = {"pyspark": "", "pyspark-client": "", **self.releases}
        own = [said.get(p, "") for p in packages]
        spark = said["pyspark"] or said["pyspark-client"] or "none"
        cells = [self.name, ", ".join(own) or "–", *(said.get(p, "") for p in OURS), spark]
        return f"| {' | '.join([*cells, self.checked, self.golden, self.every, self.demo])} |"


def wanted() -> list[tuple[str, Path]]:
    """Every plan in every dialect."""
    found = [(d, path) for d in DIALECTS for path in (*FILES, demo.PLAN)]
    return [*found, (str(EXAMPLE / "acme"), EXAMPLE / "plan.json")]


def expected(plans: Sequence[tuple[str, Path]]) -> list[str]:
    """The golden text, where there is one, else what comes of it here."""
    return [_golden(path) or _text(dialect, path) if dialect == "spark" else _text(dialect, path)
            for dialect, path in plans]  # fmt: skip


def _golden(path: Path) -> str:
    file = path.with_suffix(".sql")
    return file.read_text(encoding="utf-8").removesuffix("\n") if file.exists() else ""


def _text(dialect: str, path: Path) -> str:
    try:
        return substrait_sql.to_sql(path, dialect=dialect)
    except SubstraitSqlError as error:
        return f"refused: {error.code}"


class Environment:
    """A virtual environment in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.uv = shutil.which("uv")
        _call(sys.executable, "-m", "venv", *(["--without-pip"] if self.uv else []), str(folder))

    def pip(self, verb: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        if self.uv:
            return _run(self.uv, "pip", verb, "--python", str(self.python), *arguments)
        return _run(str(self.python), "-m", "pip", verb, *arguments)

    def run(self, *command: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        """A program of this environment, in its folder and with nothing of ours around it."""
        first = str(self.folder / "bin" / command[0])
        return _run(first, *command[1:], given=given, cwd=self.folder)


def _run(
    *command: str, given: str | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    around = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        command, input=given, cwd=cwd, env=around, capture_output=True, text=True, check=False
    )


def _call(*command: str, cwd: Path | None = None) -> None:
    done = _run(*command, cwd=cwd)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def tried(entry: Mapping[str, Any], wheel: Path, folder: Path, want: Sequence[str]) -> Found:
    """One entry."""
    found = Found(entry["name"])
    environment = Environment(folder)
    extras = [p for p in entry["packages"] if p.startswith("substrait-sql[")]
    ours = (
        f"substrait-sql{extras[0].removeprefix('substrait-sql')} @ {wheel.as_uri()}"
        if extras
        else str(wheel)
    )
    others = [p for p in entry["packages"] if p not in extras]
    done = environment.pip("install", ours, *others)
    if done.returncode:
        found.wrong.append(f"not installed: {done.stderr.strip()[-600:]}")
        return found
    done = environment.pip("check")
    found.checked = "no" if done.returncode else "yes"
    if done.returncode:
        found.wrong.append(done.stdout + done.stderr)
    plans = wanted()
    asked = {
        "plans": [(dialect, str(path)) for dialect, path in plans],
        "packages": [*OURS, "pyspark", "pyspark-client", *map(_bare, others)],
    }
    done = environment.run("python", "-I", str(PROGRAM), given=json.dumps(asked))
    if done.returncode:
        found.wrong.append(done.stderr[-2000:])
        return found
    answer = json.loads(done.stdout)
    found.releases = answer["releases"]
    if not Path(answer["place"]).is_relative_to(folder):
        found.wrong.append(f"{answer['place']} was asked, which is not the installed one")
    same = [got == text for got, text in zip(answer["texts"], want, strict=True)]
    golden = [s for s, (d, p) in zip(same, plans, strict=True) if d == "spark" and _golden(p)]
    found.golden = f"{sum(golden)} of {len(golden)}"
    found.every = f"{sum(same)} of {len(same)}"
    found.wrong += [
        f"{d} {p}: another text" for s, (d, p) in zip(same, plans, strict=True) if not s
    ][:5]
    found.demo = _demo(environment, found)
    return found


def _bare(requirement: str) -> str:
    return re.split(r"[^\w-]", requirement)[0]


def _demo(environment: Environment, found: Found) -> str:
    """The demo: its rows with a PySpark that it is for; without one it has to say what to install."""
    done = environment.run("substrait-sql", "demo")
    if not found.releases["pyspark"]:
        if done.returncode == 1 and "SS4" in done.stderr and "Traceback" not in done.stderr:
            return "says what to install"
    elif done.returncode == 0 and "Its rows" in done.stdout:
        return "its rows"
    found.wrong.append(f"demo: {done.returncode} {done.stderr[-800:]}")
    return "no"


def table(found: Sequence[tuple[Found, Sequence[str]]]) -> str:
    """The lines of the page."""
    lines = [one.line(packages) for one, packages in found]
    return "\n".join([HEAD, "|---" * HEAD.count(" | ") + "|---|", *lines])


def written(page: str, lines: str, *, all_of_it: bool = True) -> str:
    """The page with this table, or with these of its lines."""
    before, _, rest = page.partition(BEGIN)
    there, _, after = rest.partition(END)
    if not all_of_it:
        new = {_first(line): line for line in lines.splitlines()}
        lines = "\n".join(new.get(_first(line), line) for line in there.strip().splitlines())
    return f"{before}{BEGIN}\n{lines}\n{END}{after}"


def _first(line: str) -> str:
    return line.partition(" | ")[0]


def _all(entries: Sequence[Mapping[str, Any]], folder: Path) -> Iterator[tuple[Found, list[str]]]:
    _call(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=ROOT)
    (wheel,) = folder.glob("*.whl")
    want = expected(wanted())
    for number, entry in enumerate(entries):
        place = folder / f"environment{number}"
        found = tried(entry, wheel, place, want)
        shutil.rmtree(place, ignore_errors=True)
        others = [_bare(p) for p in entry["packages"] if not p.startswith("substrait-sql")]
        print(found.name, found.releases, found.checked, found.golden, found.every, found.demo)
        for what in found.wrong:
            print(f"  {what}")
        sys.stdout.flush()
        yield found, [o for o in others if o not in (*OURS, "pyspark", "pyspark-client")]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.environments", description=__doc__)
    parser.add_argument("-k", metavar="TEXT", default="", help="only those with TEXT in their name")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    chosen = parser.parse_args(argv)
    entries = yaml.safe_load(ENTRIES.read_text(encoding="utf-8"))
    entries = [e for e in entries if chosen.k in e["name"]]
    with tempfile.TemporaryDirectory() as folder:
        found = list(_all(entries, Path(folder)))
    if chosen.write:
        page = PAGE.read_text(encoding="utf-8")
        made = written(page, table(found), all_of_it=not chosen.k)
        PAGE.write_text(made, encoding="utf-8")
    return 1 if any(one.wrong for one, _ in found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
