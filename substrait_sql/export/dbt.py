"""Plans as a dbt project, and a dbt project's models as plans (docs/dbt.md)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.export.folder import with_known
from substrait_sql.export.folder import write as write_files
from substrait_sql.export.jinja import filled
from substrait_sql.export.macros import package_of
from substrait_sql.export.manifest import read
from substrait_sql.export.names import word
from substrait_sql.export.project import FOLDER, files_of, project_of, sources_of
from substrait_sql.pipeline import to_plan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

PROJECT = "dbt_project.yml"
SOURCES = f"{FOLDER}/sources.yml"


def write(
    plans: Mapping[str, Any],
    folder: str | PathLike[str],
    *,
    name: str | None = None,
    dialect: str = "spark",
    schema: str = "default",
    materialized: str = "table",
) -> list[Path]:
    """Writes plans into a dbt project, which is made where there is none, and returns the files that have changed.

    plans: what `substrait_sql.render` takes, by the names that the models get. name: of a new project, that of the
    folder by default. schema: where tables are that a plan names by one word. materialized: what a result becomes,
    ``table`` or ``view``. Files that are not ours are left alone. Raises `SubstraitSqlError`: SS6101 to SS6105 for a
    plan that is no model, SS6106 where a file of somebody else's is in the way.
    """
    place = Path(folder)
    project = project_of(plans, dialect, schema.split("."), materialized)
    files = files_of(project)
    files[SOURCES] = with_known(place / SOURCES, sources_of(project))
    if not (place / PROJECT).exists():
        called = word(name or place.resolve().name)
        settings = project.dialect.settings
        wanted = (
            settings.with_times if any(m.query.times for m in project.models) else settings.always
        )
        told = {k: yaml.safe_dump(v).partition("\n")[0] for k, v in wanted.items()}
        files[PROJECT] = filled("dbt_project.yml", name=called)
        if not (place / "profiles.yml").exists():
            files["profiles.yml"] = filled(
                "profiles.yml", name=called, schema=schema, settings=list(told.items())
            )
    return write_files(place, files)


def write_macros(
    plans: Mapping[str, Any],
    folder: str | PathLike[str],
    *,
    dialect: str = "spark",
    schema: str = "default",
) -> list[Path]:
    """Writes a dbt package whose macro `plan` is the query of a plan, and returns the files that have changed.

    plans: by the names that the macro takes, file names say. Other arguments and errors: as `write` has them.
    """
    place = Path(folder)
    files, sources = package_of(plans, dialect, schema.split("."))
    files[SOURCES] = with_known(place / SOURCES, sources)
    return write_files(place, files)


def to_plans(
    manifest: str | PathLike[str], *, catalog: str | PathLike[str] | None = None, **options: Any
) -> dict[str, Any]:
    """The plans of the compiled models of a dbt project, by the names of the models.

    manifest: ``target/manifest.json``. catalog: ``catalog.json``, by default the one beside it; without it the types
    are those that the project declares. options: those of `substrait_sql.to_plan`. A model that reads another one reads
    a table of its name; ephemeral models are part of those that read them. Raises `SqlError`, SS6107 for files that
    cannot be read.
    """
    compiled = read(manifest, catalog)
    return {
        name: to_plan(sql, schema=compiled.schema, **options)
        for name, sql in compiled.models.items()
    }
