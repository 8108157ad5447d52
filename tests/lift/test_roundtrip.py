"""Everything that we emit can be lifted: each golden text goes there and back and is the same, letter by letter.

`python -m tests.tools.roundtrip` says what keeps the others from it.
"""

from __future__ import annotations

import pytest

from substrait_sql import render, to_plan, to_sql
from substrait_sql.lift.typing.types import Field
from tests.support.declared import schema_of
from tests.tools.roundtrip import Outcome, golden, outcomes


@pytest.fixture(scope="module")
def texts() -> list[Outcome]:
    return [o for name, plan in golden() for o in outcomes(name, plan)]


@pytest.mark.slow
def test_each_text_lifts(texts: list[Outcome]) -> None:
    assert not {o.name: o.problem for o in texts if not o.lifted}


@pytest.mark.slow
def test_none_of_them_crashes(texts: list[Outcome]) -> None:
    assert not [o for o in texts if o.problem.startswith("crashed")]


@pytest.mark.slow
def test_each_text_comes_back_equal(texts: list[Outcome]) -> None:
    assert len(texts) > 800
    assert not [o.name for o in texts if not o.equal]


@pytest.mark.parametrize(
    "value",
    [
        "collect_list(named_struct('n', a, 'x', b)) FILTER (WHERE a > 1)",
        "collect_set(s)",
        "max(named_struct('a', a, 's', s))",
        "max_by(named_struct('a', a), b)",
        "collect_list(named_struct('a', a, 's', s)) OVER (ORDER BY a)",
        "transform(l, x -> named_struct('minutes', x.m))",
        "array(s, named_struct('x', 2, 'y', 'c'))",
        "array(named_struct('u', 1, 'v', 2), named_struct('u', 3, 'v', 4))",
        "map('k', s)",
        "named_struct('of', array(s), 'q', named_struct('l', l))",
    ],
)
def test_the_names_inside_of_a_value_come_back(value: str) -> None:
    schema = {
        "t": {
            "a": "int",
            "b": "string",
            "s": "struct<x: int, y: string>",
            "l": "array<struct<m: int>>",
        }
    }
    sql = f"SELECT {value} AS z FROM t"
    assert " ".join(to_sql(to_plan(sql, schema=schema)).split()) == sql


def test_the_schema_of_a_plan_is_what_its_reads_declare() -> None:
    plan = {
        "relations": [
            {
                "root": {
                    "names": ["a", "b"],
                    "input": {
                        "read": {
                            "namedTable": {"names": ["s", "t"]},
                            "baseSchema": {
                                "names": ["a", "b"],
                                "struct": {
                                    "nullability": "NULLABILITY_REQUIRED",
                                    "types": [
                                        {"i64": {"nullability": "NULLABILITY_REQUIRED"}},
                                        {"string": {"nullability": "NULLABILITY_NULLABLE"}},
                                    ],
                                },
                            },
                        }
                    },
                }
            }
        ]
    }
    (found,) = schema_of(render(plan)).items()
    name, fields = found
    assert name == ("s", "t")
    assert [(f.name, str(f.type), f.nullable) for f in fields if isinstance(f, Field)] == [
        ("a", "bigint", False),
        ("b", "string", True),
    ]
