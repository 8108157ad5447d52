"""Parameters of shared subtrees: what a subtree declares that it takes, and what each use of it binds.

The draft https://github.com/substrait-io/substrait/pull/977 has `PlanRel.outer_reference_declarations` and
`ReferenceRel.outer_reference_bindings`; no release took them up. A declared outer reference is a name only: it means
whatever the use binds to it. A binding is seen from the record that hosts the innermost subquery around the use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.errors import invalid, refuse
from substrait_sql.plan import build
from substrait_sql.plan.scopes import (
    Scope,
    Stack,
    binding,
    is_outer,
    relations,
    steps,
    visit_expression,
    visit_relation,
)
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from substrait_sql.plan.widths import Widths

# Where a binding stands from the subtree's own references: one subquery further out.
_NOWHERE = Scope()


class Use(NamedTuple):
    """An outer reference that leaves its subtree.

    inside: how many subqueries of the subtree stand around it. out: how many steps lead from it to the record from
    which the subtree's bindings are seen.
    """

    reference: Any
    inside: int
    out: int


def uses(rel: Any, widths: Widths) -> list[Use]:
    """The outer references of a subtree that mean a record outside of it, those in bindings included."""
    found: list[Use] = []

    def visit(reference: Any, stack: Stack) -> None:
        if is_outer(reference) and binding(reference, stack) is None:
            found.append(Use(reference, steps(stack), steps(stack) + 1))

    visit_relation(rel, (), visit, widths)
    for each, around in relations(rel, (), widths):
        if each.WhichOneof("rel_type") == "reference":
            for bound in each.reference.outer_reference_bindings:
                found += _in_binding(bound, around, widths)
    return found


def _in_binding(bound: Any, around: Stack, widths: Widths) -> list[Use]:
    """The uses in one binding: it stands in the scope that hosts the innermost subquery."""
    found: list[Use] = []
    at = hosting(around)
    # In a subtree without subqueries a binding is seen from where those of the subtree itself are.
    nearer = 0 if steps(around) else 1

    def visit(reference: Any, inner: Stack) -> None:
        if is_outer(reference) and binding(reference, (*at, *inner)) is None:
            inside = steps((*at, *inner))
            found.append(Use(reference, inside - nearer, inside + 1 - nearer))

    visit_expression(bound, (), _NOWHERE, visit, widths)
    return found


def hosting(stack: Stack) -> Stack:
    """The scopes around the expression that hosts the innermost subquery."""
    for i in reversed(range(len(stack))):
        if not stack[i].lateral:
            return stack[:i]
    return ()


def bind(rel: Any, message: Any, declarations: Any, ordinal: int, widths: Widths) -> None:
    """Replaces the declared references of a copied subtree by what a ReferenceRel binds to them, in place."""
    bindings = message.outer_reference_bindings
    if len(bindings) != len(declarations):
        raise invalid(
            "SS2073",
            f"{len(bindings)} bindings for the {len(declarations)} outer references that subtree {ordinal} declares",
            ROOT,
        )
    found = uses(rel, widths)
    used: set[int] = set()
    for use in found:
        if use.reference.outer_reference.WhichOneof("outer_reference_type") == "rel_reference":
            continue
        index = _declared(use, declarations, ordinal)
        used.add(index)
        _substitute(use, bindings[index], widths)
    unused = set(range(len(declarations))) - used
    if unused:
        raise invalid(
            "SS2078",
            f"subtree {ordinal} declares an outer reference that it does not have (declaration {min(unused)})",
            (((ROOT / "relations")[ordinal]) / "outer_reference_declarations")[min(unused)],
        )


def _declared(use: Use, declarations: Any, ordinal: int) -> int:
    """Which declaration a reference means: written as it is, or as seen from the top of the subtree."""
    plain = build.copied(use.reference)
    normal = build.copied(use.reference)
    normal.outer_reference.steps_out = max(normal.outer_reference.steps_out - use.inside, 0)
    matches = {i for i, d in enumerate(declarations) if d.outer_reference in (plain, normal)}
    if len(matches) == 1:
        return matches.pop()
    out = use.reference.outer_reference.steps_out
    if matches:
        raise invalid(
            "SS2079",
            f"the outer reference of {out} steps in subtree {ordinal} could be either of two that it declares",
            (ROOT / "relations")[ordinal],
        )
    raise invalid(
        "SS2077",
        f"subtree {ordinal} steps out {out} times, of no query around it, and does not declare that",
        (ROOT / "relations")[ordinal],
        "a shared subtree refers outwards by rel_reference, or by what the plan declares and binds",
    )


def _substitute(use: Use, bound: Any, widths: Widths) -> None:
    """Puts a binding in the place of a reference, as seen from there."""
    made = build.copied(bound)
    if made.WhichOneof("root_type") == "lambda_parameter_reference":
        raise refuse("SS2230", "a binding to a lambda's parameter has no SQL", ROOT)
    _move(made, use.out, widths)
    use.reference.CopyFrom(made)


def _move(made: Any, out: int, widths: Widths) -> None:
    """Every reference of a binding, as seen from `out` subqueries further in."""

    def visit(reference: Any, stack: Stack) -> None:
        root = reference.WhichOneof("root_type")
        if root in (None, "root_reference") and not stack and out:
            build.aim(reference, steps=out)
        elif (
            is_outer(reference)
            and not reference.outer_reference.rel_reference
            and binding(reference, stack[1:]) is None
        ):
            reference.outer_reference.steps_out += out

    visit_expression(made, (), _NOWHERE, visit, widths)
