"""A catalog whose tables take UPDATE, DELETE and MERGE, in a session that is there: `java/RowCatalog.java`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pyspark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SOURCE = Path(__file__).parent / "java" / "RowCatalog.java"


def compiler() -> str | None:
    """Where the compiler of a JDK is; a JRE has none."""
    return shutil.which("javac")


def add(spark: SparkSession, name: str, folder: Path) -> None:
    """Compiles the catalog into a folder and gives it to the session under a name."""
    jars = Path(pyspark.__file__).parent / "jars" / "*"
    classes, jar = folder / "classes", folder / "rows.jar"
    run = [
        str(compiler()),
        "--release",
        "17",
        "-nowarn",
        "-cp",
        str(jars),
        "-d",
        str(classes),
        str(SOURCE),
    ]
    subprocess.run(run, check=True, capture_output=True)
    packed = shutil.make_archive(str(folder / "rows"), "zip", classes)
    Path(packed).rename(jar)
    spark.sql(f"ADD JAR '{jar}'")
    spark.conf.set(f"spark.sql.catalog.{name}", "RowCatalog")
