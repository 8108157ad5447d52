"""A plan is held against a policy: its messages before anything is asked of a session, its SQL before that is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql import wire
from substrait_sql.errors import Diagnostic, PolicyError
from substrait_sql.policy import known
from substrait_sql.policy.calls import called
from substrait_sql.policy.effects import at_once, registered
from substrait_sql.policy.messages import is_file, named_files, touched
from substrait_sql.policy.names import matches, matches_table, table_pattern
from substrait_sql.policy.places import Roots, Undecided, place_of, scheme_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.policy.messages import Touched
    from substrait_sql.policy.model import FileRead, TableWrite
    from substrait_sql.policy.policy import Policy
    from substrait_sql.rendered import Rendered


def hold_plan(plan: Any, policy: Policy, dialect: Dialect) -> Any:
    """The plan, of a file its bytes: what is run is what was held against the policy.

    Raises `PolicyError` with all that the messages of the plan do and the policy does not allow (SS4061 to SS4067).
    """
    plan = at_once(plan)
    _raise(_too_long(plan, policy))
    decoded = wire.read(plan)
    _raise(_bounded(decoded.plan.ByteSize(), policy))
    _raise(_problems(touched(decoded, dialect), policy))
    return plan


def hold_sql(rendered: Rendered, policy: Policy, dialect: Dialect) -> None:
    """Holds the SQL of a plan against a policy: how long it is and what it calls, whoever wrote that part of it.

    Raises `PolicyError` SS4065 and SS4067.
    """
    _raise(_texts(rendered, policy, dialect))


def _raise(problems: Iterable[Diagnostic]) -> None:
    found = list(problems)
    if found:
        raise PolicyError(found)


def _violation(code: str, message: str, path: str = "", hint: str = "") -> Diagnostic:
    return PolicyError.of(code, message, path, hint).diagnostics[0]


def _too_long(plan: Any, policy: Policy) -> list[Diagnostic]:
    """Of what is bytes or text the length is known before any of it is read."""
    if isinstance(plan, str):
        plan = plan.encode("utf-8", "surrogatepass")
    return _bounded(len(plan), policy) if isinstance(plan, (bytes, bytearray)) else []


def _bounded(length: int, policy: Policy) -> list[Diagnostic]:
    most = policy.max_plan_bytes
    if most is None or length <= most:
        return []
    message = f"the plan has {length:,} bytes, and may have {most:,}"
    return [_violation("SS4067", message, hint="max_plan_bytes of the policy")]


def _problems(found: Touched, policy: Policy) -> Iterator[Diagnostic]:
    patterns = [table_pattern(p) for p in policy.read_tables or ()]
    # What may be files may be a table as well, of a schema that is called `hive`, say.
    named = [(t.name, t.path) for t in found.tables]
    named += [(f.table, f.path) for f in found.files if f.table]
    for name, path in named:
        if policy.read_tables is not None and not matches_table(name, patterns):
            hint = "add it to read_tables of the policy if that is meant"
            message = f"the plan reads the table {'.'.join(name)}, which the policy does not allow"
            yield _violation("SS4061", message, path, hint)
    roots = Roots(policy.file_roots or ())
    for file in found.files:
        yield from file_problems(file, roots, policy)
    yield from target_problems(found.targets, roots, policy)
    for function in found.functions:
        if _is_denied(function.name.lower(), policy):
            message = f"the plan calls {function.name}, which the policy denies"
            yield _violation("SS4065", message, function.path, _HOW_DENIED)
    for extension in found.extensions:
        if not matches(extension.type_url, policy.allow_extensions):
            message = f"what {extension.type_url or '(no type)'} reads and calls is not known here"
            hint = "add the type to allow_extensions of the policy if its code can be trusted"
            yield _violation("SS4066", message, extension.path, hint)


def file_problems(file: FileRead, roots: Roots, policy: Policy) -> Iterator[Diagnostic]:
    """Why a file may not be read or written."""
    formats, schemes = _lower(policy.formats), _lower(policy.uri_schemes)
    if formats is not None and file.format not in formats:
        form = file.format or "an unknown format"
        message = f"{file.uri!r} would be used as {form}, which the policy does not allow"
        yield _violation("SS4064", message, file.path, f"formats of the policy: {_listed(formats)}")
    scheme = scheme_of(file.place)
    if schemes is not None and scheme not in schemes:
        message = f"{file.uri!r} has the scheme {scheme}, which the policy does not allow"
        hint = f"uri_schemes of the policy: {_listed(schemes)}"
        yield _violation("SS4064", message, file.path, hint)
    if policy.file_roots is None:
        return
    hint = f"file_roots of the policy: {_listed(policy.file_roots)}"
    try:
        why = roots.why_not(place_of(file.place, pattern=file.pattern))
    except Undecided as undecided:
        message = f"nobody can tell where {file.uri!r} leads: {undecided}"
        yield _violation("SS4063", message, file.path, hint)
        return
    if why:
        message = f"{file.uri!r} is outside the folders that the policy allows: {why}"
        yield _violation("SS4063", message, file.path, hint)


def target_problems(
    targets: Sequence[TableWrite], roots: Roots, policy: Policy
) -> Iterator[Diagnostic]:
    """Why a table or view may not be changed."""
    patterns = [table_pattern(p) for p in policy.write_tables or ()]
    for target in targets:
        name = ".".join(target.name)
        if policy.allow_writes is False:
            message = f"the policy allows no writes, and the plan changes {name}"
            hint = "leave allow_writes out of the policy if that is meant"
            yield _violation("SS4062", message, target.path, hint)
            continue
        if policy.write_tables is not None and not matches_table(target.name, patterns):
            message = f"the plan changes {name}, which the policy does not allow"
            hint = "add it to write_tables of the policy if that is meant"
            yield _violation("SS4062", message, target.path, hint)
        if is_file(target.name):
            yield from file_problems(named_files(target.name, target.path), roots, policy)


def _texts(rendered: Rendered, policy: Policy, dialect: Dialect) -> Iterator[Diagnostic]:
    length, most = len(rendered.sql), policy.max_sql_length
    if most is not None and length > most:
        message = f"the SQL has {length:,} characters, and may have {most:,}"
        yield _violation("SS4067", message, hint="max_sql_length of the policy")
        return
    reported: set[str] = set()
    for statement in rendered.statements:
        names = [n for n in called(statement.sql) if n not in reported]
        unknown = registered(names, dialect.builtins)
        path = f"relations[{statement.root}]"
        for name in names:
            if _is_denied(name, policy):
                message = f"the SQL calls {name}, which the policy denies"
                yield _violation("SS4065", message, path, _HOW_DENIED)
            elif name in unknown and not matches(name, policy.allow_functions):
                message = f"the SQL calls {name}, which Spark has not by itself: what it does is not known"
                hint = "add it to allow_functions of the policy if that is meant"
                yield _violation("SS4065", message, path, hint)
        reported.update(names)


def _is_denied(name: str, policy: Policy) -> bool:
    """Names of several parts count by their last one, too: a function of a schema, or a session's own."""
    last = name.rpartition(".")[2].strip(" `")
    if matches(name, policy.deny_functions) or matches(last, policy.deny_functions):
        return True
    return last in known.denied() and last not in (_lower(policy.allow_functions) or ())


def _lower(texts: Sequence[str] | None) -> list[str] | None:
    return None if texts is None else [text.lower() for text in texts]


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(texts) or "none"


_HOW_DENIED = "deny_functions of the policy, or what any policy denies: allow_functions lifts that"
