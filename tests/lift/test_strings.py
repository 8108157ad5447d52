"""Texts in quotes: what Spark reads, and what we do."""

from __future__ import annotations

import random
from typing import Any

from substrait_sql.lift.text.literals import unescaped

# Without what would end the text: a quote, or a backslash at its end.
PARTS = [
    "a", " ", "é", "%", "_", "\n", "''", '"', r"\'", r"\"", r"\\", r"\%", r"\_", r"\0", r"\b", r"\n", r"\r", r"\t",
    r"\Z", r"\q", r"\é", "\\\n", r"\N", r"\u0041", r"\u00e9", r"\u12", r"\u004g", r"\U0001F600", r"\U0001F60", r"\1",
    r"\00", r"\08", r"\000", r"\101", r"\177", r"\200", r"\277", r"\377", r"\378", r"\400",
]  # fmt: skip


def drawn(count: int) -> list[str]:
    luck = random.Random(20261122)
    made = ["".join(luck.choices(PARTS, k=luck.randint(0, 5))) for _ in range(count)]
    single = [f"'{text}'" for text in [*PARTS, *made]]
    double = [f'"{text.replace(chr(34), chr(34) * 2)}"' for text in made if r"\"" not in text]
    return single + double


def test_spark_reads_them_so(spark: Any) -> None:
    texts = drawn(300)
    read = spark.sql("SELECT " + ",\n".join(texts)).collect()[0]
    assert [(t, unescaped(t)) for t in texts] == list(zip(texts, read, strict=True))
