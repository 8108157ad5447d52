"""All that the page says of one plan, as data that JSON can hold. Short keys: a folder has thousands of relations."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from substrait_sql import pipeline, wire
from substrait_sql.dialect.dialect import load
from substrait_sql.errors import Diagnostic, DialectError, Severity, SubstraitSqlError
from substrait_sql.lower.plan import place_of
from substrait_sql.outline.columns import Column, node_key, schema_columns
from substrait_sql.outline.literals import clean, name_of, type_text
from substrait_sql.outline.walk import Walk, is_deep, knowledge_of
from substrait_sql.plan.extended import as_plan
from substrait_sql.plan.producers import habits_of, producer_of
from substrait_sql.reporting.effects import effects
from substrait_sql.reporting.lineage import Lineage, below
from substrait_sql.reporting.links import links
from substrait_sql.reporting.tables import tables
from substrait_sql.schema import types
from substrait_sql.wire.deep import with_room

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.outline.columns import Node
    from substrait_sql.outline.walk import Step
    from substrait_sql.rendered import Rendered
    from substrait_sql.reporting.lineage import Origin
    from substrait_sql.reporting.links import Link
    from substrait_sql.wire import Decoded

Facts = dict[str, Any]


def facts(label: str, plan: Any, dialect: Any) -> Facts:
    """What there is to say of a plan. Never raises on a bad one; raises `DialectError` for a dialect that is not right.

    label: what to call it. plan: anything that `render` takes.
    """
    rules = load(dialect)
    return with_room(lambda: _Facts(label, plan, dialect, rules).all())


class Numbered:
    """Texts by number: a plan has few types and functions, and names them often."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, text: str) -> int:
        """The number of a text."""
        return self._numbers.setdefault(text, len(self._numbers))

    def all(self) -> list[str]:
        """The texts in the order of their numbers."""
        return list(self._numbers)


@dataclass(slots=True)
class _Facts:
    label: str
    plan: Any
    dialect: Any
    rules: Dialect
    types: Numbered = field(default_factory=Numbered)
    functions: Numbered = field(default_factory=Numbered)

    def all(self) -> Facts:
        rendered, problems = self._rendered()
        said: Facts = {
            "label": clean(self.label),
            "dialect": self.rules.name,
            "ok": rendered is not None,
            "sql": rendered.sql if rendered is not None else "",
        }
        try:
            decoded = as_plan(wire.read(self.plan))
        except SubstraitSqlError:
            return {**said, "unread": 1, "diagnostics": [_diagnostic(d, -1) for d in problems]}
        steps, lineage, nodes, link = self._tree(decoded, rendered)
        return {
            **said,
            **self._about(decoded),
            "nodes": nodes,
            "types": self.types.all(),
            "functions": self.functions.all(),
            "outputs": self._outputs(rendered, lineage),
            "tables": tables(steps),
            "parameters": [[n, str(t)] for n, t in rendered.parameters.items()] if rendered else [],
            "settings": [[n, t] for n, t in rendered.settings.items()] if rendered else [],
            "diagnostics": _placed(problems, steps),
            "spans": _spans(link, said["sql"]),
        }

    def _rendered(self) -> tuple[Rendered | None, list[Diagnostic]]:
        """The SQL, or all that is wrong with the plan."""
        try:
            rendered = pipeline.render(self.plan, dialect=self.dialect)
        except DialectError:
            raise
        except SubstraitSqlError as error:
            found = pipeline.check(self.plan, dialect=self.dialect)
            wrong = any(d.severity is Severity.ERROR for d in found)
            return None, found if wrong else [*error.diagnostics, *found]
        return rendered, list(rendered.diagnostics)

    def _about(self, decoded: Decoded) -> Facts:
        """Who made the plan, and what its habits mean here."""
        habits = (
            [] if is_deep(decoded.plan) else effects(self.plan, wire.read(self.plan), self.rules)
        )
        return {
            "producer": name_of(decoded.producer),
            "known": producer_of(decoded),
            "version": ".".join(map(str, decoded.version or ())),
            "habits": [
                [e.row.name, e.row.meaning, e.row.evidence, int(e.here), e.changes] for e in habits
            ],
        }

    # -- the tree -----------------------------------------------------------------------------------------------------

    def _tree(
        self, decoded: Decoded, rendered: Rendered | None
    ) -> tuple[list[Step], Lineage, list[Facts], list[Link]]:
        known = knowledge_of(decoded, self.rules)
        walk = Walk(known)
        steps: list[Step] = []
        roots: dict[int, int] = {}
        for i, entry in enumerate(decoded.plan.relations):
            node = walk.entry(entry, i, place_of(decoded, i))
            if node is not None:
                roots[i] = len(steps)
                steps += walk.below(node)
        lineage = Lineage(steps, roots, known.notation, habits_of(decoded))
        spans = rendered.spans if rendered is not None and not is_deep(decoded.plan) else ()
        link = links(rendered.sql if rendered else "", spans, steps)
        begins = {number: index for index, number in roots.items()}
        numbers = {id(step.node): i for i, step in enumerate(steps)}
        nodes = []
        for i, step in enumerate(steps):
            said = self._node(step, lineage.origins[i])
            if step.above is not None:
                said["above"] = numbers[id(step.above)]
            if i in begins:
                said["entry"] = begins[i]
            nodes.append(said)
        return steps, lineage, nodes, link

    def _node(self, step: Step, origins: list[Origin] | None) -> Facts:
        said: Facts = {"word": step.word, "parts": step.parts, "at": _below(step)}
        if step.subquery is not None:
            said["subquery"] = step.subquery.number
        elif step.node.role not in ("", "input"):
            said["role"] = step.node.role
        if step.node.kind in ("read", "update") and origins is not None:
            record = step.node.record
            read = {-1 - place[1] for o in origins for place in o.columns if place[1] < 0}
            said["source"] = {i: name_of(record[i].name) for i in sorted(read) if i < len(record)}
        said["columns"] = [
            [name_of(c.name), self._type(c.type), *self._origin(origins, i)]
            for i, c in enumerate(step.node.columns)
        ]
        return said

    def _type(self, type: Any) -> int:
        return self.types.of("" if types.kind(type) is None else type_text(type))

    def _origin(self, origins: list[Origin] | None, index: int) -> list[Any]:
        """Places as pairs in one list, numbers of functions, where the expression is; nothing where it is not known."""
        if origins is None:
            return []
        known = origins[index]
        places = [number for place in known.columns for number in place]
        said = [places, [self.functions.of(f) for f in known.functions], known.at]
        while said and not said[-1]:
            said.pop()
        return said or [[]]

    def _outputs(self, rendered: Rendered | None, lineage: Lineage) -> list[Facts]:
        """The columns of each result, or of what is written, and all that they come from."""
        found = []
        for index, top in lineage.roots.items():
            node = lineage.steps[top].node
            writes = node.kind in ("write", "ddl") and bool(node.inputs)
            number = top + 1 if writes else top
            columns = _written(node) if writes else node.columns
            made = [s.columns for s in rendered.statements if s.root == index] if rendered else []
            given = next((c for c in reversed(made) if len(c) == len(columns)), None)
            said = []
            for i, column in enumerate(columns):
                trace = lineage.trace((number, i))
                said.append(
                    [
                        clean(given[i].name) if given else name_of(column.name),
                        self.types.of(clean(given[i].type)) if given else self._type(column.type),
                        clean(given[i].spark_type) if given else "",
                        [n for place in trace.sources for n in place],
                        [self.functions.of(f) for f in trace.functions],
                        int(trace.whole),
                    ]
                )
            if said:
                entry = {"relation": index, "node": number, "columns": said}
                found.append({**entry, "written": 1} if writes else entry)
        return found


def _written(node: Node) -> list[Column]:
    """The columns of the rows that a relation writes, under the names of the table."""
    columns, names = node.inputs[0].columns, schema_columns(node.message.table_schema)
    if len(names) != len(columns):
        return columns
    return [Column(n.name, c.type) for n, c in zip(names, columns, strict=True)]


def _below(step: Step) -> str:
    """The path of a relation below that of the one above it; the whole path for the first."""
    return str(step.node.path) if step.above is None else below(step.node.path, step.above.path)


def _spans(found: Sequence[Link], sql: str) -> list[list[Any]]:
    """For each relation its ranges, its query, and its expressions, as offsets the way that JavaScript counts."""
    astral = [i for i, c in enumerate(sql) if ord(c) > 0xFFFF]

    def at(offset: int) -> int:
        return offset + bisect_left(astral, offset)

    return [
        [
            [at(n) for r in link.main for n in r],
            [at(n) for n in link.query or ()],
            [[at(p.begin), at(p.end), p.at.partition(".")[0]] for p in link.parts if p.at],
        ]
        for link in found
    ]


def _placed(problems: Sequence[Diagnostic], steps: Sequence[Step]) -> list[list[Any]]:
    """The diagnostics, each with the number of the innermost relation that it is about."""
    numbers = {node_key(str(step.node.path)): i for i, step in enumerate(steps)} if problems else {}
    found = []
    for problem in problems:
        path = node_key(problem.path)
        while path and path not in numbers:
            path = path.rpartition(".")[0]
        found.append(_diagnostic(problem, numbers.get(path, -1)))
    return found


def problem(said: Sequence[Any]) -> Diagnostic:
    """The finding that the page was told so."""
    severity, code, _, message, path, hint, _ = said
    return Diagnostic(code, message, path, hint, Severity(severity))


def _diagnostic(problem: Diagnostic, node: int) -> list[Any]:
    texts = (problem.code, problem.name, problem.message, problem.path, problem.hint)
    return [problem.severity.value, *map(clean, texts), node]
