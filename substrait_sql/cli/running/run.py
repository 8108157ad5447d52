"""The command ``run``: options in, rows out."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.batch import Batch
from substrait_sql.cli.inputs import Input, read_inputs
from substrait_sql.cli.options import pairs_of
from substrait_sql.cli.outputs import Output, files_of
from substrait_sql.cli.running.before import Failed, check_files, check_settings, check_tables
from substrait_sql.cli.running.parameters import Given
from substrait_sql.cli.running.rows import SUFFIXES, collect, save, stream, write_arrow, write_text
from substrait_sql.cli.running.talking import talking
from substrait_sql.cli.running.targets import check_results, is_repeatable, target_asked
from substrait_sql.cli.running.watching import Watching, terminable
from substrait_sql.cli.several.failures import Stop
from substrait_sql.errors import ExecutionError, PolicyError, SubstraitSqlError
from substrait_sql.run.retry import LATER, again, may_work_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.lower.writes.alterations import PresentTable
    from substrait_sql.policy.policy import Policy
    from substrait_sql.rendered import Rendered
    from substrait_sql.run.seen.running import Running
    from substrait_sql.run.targets.model import Target

LOCAL = "local"


@dataclass
class Run:
    """One call of ``run``."""

    batch: Batch
    tables: dict[str, Any]
    given: Given
    conf: dict[str, str]
    root: int | None
    limit: int | None
    form: str
    output: Output | None
    master: str | None
    remote: str | None
    init: Path | None
    allow_writes: bool
    policy: Policy | None
    check_nulls: bool
    show_sql: bool
    dialect: str
    target: Target | None
    max_rows: int | None
    retries: int
    retry_wait: float
    dry_run: bool
    timeout: float | None = None
    verbose: bool = False
    run_log: str | None = None
    files: dict[Input, Path] = field(default_factory=dict)
    _spark: SparkSession | None = None
    _begun: bool = False
    _later: int = 0

    @classmethod
    def of(cls, **options: Any) -> Run:
        """The run that these options ask for.

        Raises `click.UsageError` for options that make no sense.
        """
        if options["master"] and options["remote"]:
            raise click.UsageError("--master and --remote exclude each other")
        inputs = read_inputs(options.pop("plans"))
        folder, named = options.pop("tables"), pairs_of("--table", options.pop("named"))
        run = cls(
            batch=Batch(inputs, "looked at" if options["dry_run"] else "ran"),
            tables=_tables(folder, named),
            given=_given(options),
            target=target_asked(options, several=len(inputs) > 1),
            conf=pairs_of("--conf", options.pop("conf")),
            policy=_policy(options.pop("policy")),
            **options,
        )
        run.files = _files(inputs, run.output, run.form)
        check_settings(run.conf, remote=run.remote is not None)
        here = {n: p for n, p in named.items() if run.is_local}
        check_files(run.init, run.files.values(), here)
        run.watching.check()
        return run

    @property
    def watching(self) -> Watching:
        """How the plans are watched."""
        return Watching(self.batch, self.dialect, self.timeout, self.run_log, self.dry_run)

    @property
    def is_local(self) -> bool:
        """Whether Spark runs on this machine, and finds files where we do."""
        from substrait_sql.run.session import is_submitted

        elsewhere = any(key.endswith("fs.defaultFS") for key in self.conf) or is_submitted()
        return self.remote is None and (self.master or LOCAL).startswith(LOCAL) and not elsewhere

    @property
    def is_bare(self) -> bool:
        """Whether the session will have no tables but those that are given."""
        from substrait_sql.run.session import is_running

        own = self.is_local and self.init is None and not self.conf and not self.allow_writes
        configured = any(name in os.environ for name in ("SPARK_HOME", "SPARK_CONF_DIR"))
        return own and not configured and not is_running()

    def start(self) -> int:
        """Run every plan; returns the exit code."""
        with terminable(), talking(self.batch, self.verbose):
            code = self.batch.each(self._one)
        return LATER if code and self._later == self.batch.failed else code

    def _one(self, item: Input) -> None:
        with self.watching.plan(item) as run:
            self._watched(item, run)

    def _watched(self, item: Input, run: Running) -> None:
        from substrait_sql.dialect.dialect import load
        from substrait_sql.policy.hold import hold_plan, hold_sql
        from substrait_sql.run.execute import foresee

        # Before Spark starts, which takes seconds: a plan that cannot be rendered is refused at
        # once.
        plan, self._begun = item.plan, False
        if self.policy is not None:
            plan = hold_plan(plan, self.policy, load(self.dialect))
        rendered = self._rendered(plan)
        if self.show_sql:
            with self.batch.paused():
                click.echo(rendered.sql, err=True)
        values = self.given.of(rendered)
        foresee(rendered, values, self.root, self.allow_writes)
        if self.policy is not None:
            hold_sql(rendered, self.policy, load(self.dialect))
        if self.target is not None:
            check_results(rendered, self.root)
        if self._spark is None and self.is_bare:
            check_tables(rendered, self.root, self.tables, load(self.dialect))
        if self.dry_run:
            self._say(item, plan, values)
            return
        work = partial(self._work, item, plan, values, run)
        retries = self.retries if is_repeatable(rendered, self.root, self.target) else 0
        try:
            again(work, retries, self.retry_wait, self._lost)
        except Exception as error:
            self._later += may_work_later(error)
            raise

    def _work(self, item: Input, plan: Any, values: dict[int, Any], run: Running) -> None:
        with self.watching.jobs(run, self._session()):
            self._results(item, plan, values, run)

    def _results(self, item: Input, plan: Any, values: dict[int, Any], run: Running) -> None:
        from substrait_sql.run.execute import execute
        from substrait_sql.run.shared import shared

        if self.target is not None:
            self._save(plan, self.target, values, run)
            return
        frames = execute(
            self._session(),
            plan,
            parameters=values,
            tables=self.tables,
            allow_writes=self.allow_writes,
            check_nulls=self.check_nulls,
            root=self.root,
            dialect=self.dialect,
            policy=self.policy,
        )
        results = frames if isinstance(frames, list) else [frames]
        with shared(results):
            self._put(item, results, run)

    def _say(self, item: Input, plan: Any, values: dict[int, Any]) -> None:
        """What would be done with a plan."""
        from substrait_sql.cli.running.dry import said

        given: dict[str, Any] = {"parameters": values, "tables": self.tables, "root": self.root}
        given |= {"allow_writes": self.allow_writes, "dialect": self.dialect, "policy": self.policy}
        lines = list(said(self._session(), plan, self.target, self.files.get(item), **given))
        with self.batch.paused():
            click.echo("\n".join([item.label, *lines]))

    def _lost(self, error: BaseException, pause: float, time_of: int) -> bool:
        """Says that a plan is run again, if it can be: no rows are on stdout, and there is a Spark to ask."""
        if self._begun or not self._is_alive():
            return False
        said = error.error if isinstance(error, Stop) else error
        with self.batch.paused():
            click.echo(str(said), err=True)
            click.echo(f"again in {pause:g} s ({time_of} of {self.retries})", err=True)
        return True

    def _is_alive(self) -> bool:
        """Whether a session can be had. A server's is asked for anew; one of this process does not come back."""
        if self.remote:
            if self._spark is not None:
                with suppress(Exception):
                    self._spark.stop()
            self._spark = None
            return True
        try:
            return self._spark is None or bool(self._spark.sql("SELECT 1").collect())
        except Exception:  # in whatever words it says so: it does not answer
            return False

    def _rendered(self, plan: Any) -> Rendered:
        """The SQL. Only for a plan that alters a table the session is started, which knows what that is."""
        from substrait_sql import pipeline
        from substrait_sql.dialect.dialect import load
        from substrait_sql.run.tables.present import table_finder

        def table_of(names: tuple[str, ...]) -> PresentTable | None:
            return table_finder(self._session(), load(self.dialect))(names)

        return pipeline.render(plan, dialect=self.dialect, table_of=table_of)

    def _session(self) -> SparkSession:
        from substrait_sql.run.init import run_file
        from substrait_sql.run.session import local_session, remote_session

        if self._spark is None:
            try:
                if self.remote:
                    self._spark = remote_session(self.remote, self.conf)
                else:
                    self._spark = local_session(self.master, self.conf)
                if self.init is not None:
                    run_file(self._spark, self.init)
            except SubstraitSqlError as error:
                raise Stop(error) from error
        return self._spark

    def _save(self, plan: Any, target: Target, values: dict[int, Any], run: Running) -> None:
        from substrait_sql.run.targets.save import save_to

        done = save_to(
            self._session(),
            plan,
            target,
            max_rows=self.max_rows,
            limit=self.limit,
            parameters=values,
            tables=self.tables,
            check_nulls=self.check_nulls,
            root=self.root,
            dialect=self.dialect,
            policy=self.policy,
        )
        run.rows = done.rows
        with self.batch.paused():
            click.echo(str(done), err=True)

    def _put(self, item: Input, frames: Sequence[DataFrame], run: Running) -> None:
        path = self.files.get(item)
        for index, frame in enumerate(frames):
            with run.asking(frame):
                if path is None:
                    self._print(item, frame, f", root {index}" if len(frames) > 1 else "", run)
                    continue
                own = path if len(frames) == 1 else path.with_stem(f"{path.stem}-{index}")
                run.rows = (run.rows or 0) + save(frame, own, self.limit, self.max_rows)

    def _print(self, item: Input, frame: DataFrame, which: str, run: Running) -> None:
        """Print the rows of a root. which: how it is called, if there are several."""
        if self.form == "arrow":
            self._begun = True
            sys.stdout.flush()
            write_arrow(frame, self.limit, self.max_rows, sys.stdout.buffer)
            return
        if self.form == "table" or self.max_rows is not None:
            names, rows, types = collect(frame, self.limit, self.max_rows)
        else:
            names, rows, types = stream(frame, self.limit)
        self._begun = True
        with self.batch.paused():
            if self.form == "table" and (self.batch.several or which):
                click.echo(f"-- {item.label}{which}")
            write_text(self.form, names, run.counted(rows), types, sys.stdout)


def _policy(path: Path | None) -> Policy | None:
    from substrait_sql.policy.policy import Policy

    try:
        return Policy.read(path) if path is not None else None
    except PolicyError as error:
        raise Failed(error) from error


def _given(options: dict[str, Any]) -> Given:
    from substrait_sql.cli.running.parameters import read_values

    path = options.pop("params_file")
    try:
        there = read_values(path) if path is not None else {}
    except ExecutionError as error:
        raise Failed(error) from error
    return Given(_anchors(options.pop("params")), options.pop("params_env"), there)


def _anchors(given: Sequence[str]) -> dict[int, str]:
    pairs = pairs_of("--param", given)
    try:
        return {int(anchor): value for anchor, value in pairs.items()}
    except ValueError as error:
        raise click.UsageError(
            f"--param takes the number of the parameter's anchor: {error}"
        ) from error


def _tables(folder: Path | None, named: dict[str, str]) -> dict[str, Any]:
    """All tables by lower-case name; one that is named goes before one found in the folder."""
    from substrait_sql.run.tables.sources import folder_tables

    try:
        tables: dict[str, Any] = dict(folder_tables(folder)) if folder is not None else {}
    except ExecutionError as error:
        raise Failed(error) from error
    for name, path in named.items():
        tables[name.replace("`", "").lower()] = (
            Path(path).expanduser() if "://" not in path else path
        )
    return tables


def _files(inputs: Sequence[Input], output: Output | None, form: str) -> dict[Input, Path]:
    if output is None:
        return {}
    several = len(inputs) > 1
    if output.path.suffix.lower() in SUFFIXES and not output.slash:
        if several and not output.folder:
            raise click.UsageError("several plans go to a folder: -o DIR --format csv|json|arrow")
        if form not in ("table", output.path.suffix.lower()[1:].removesuffix("l")):
            raise click.UsageError(f"--format {form} and {output.path.name} are not the same")
        if not several:
            # A folder of such a name is a table as a rule: a file in it would be more rows of that.
            return {inputs[0]: output.path}
    if output.folder or several:
        return files_of(inputs, output, ".parquet" if form == "table" else f".{form}")
    known = ", ".join(SUFFIXES)
    raise click.UsageError(f"cannot tell what to write to {str(output.path)!r}: end it in {known}")
