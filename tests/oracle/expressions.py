"""Expressions, one record at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.oracle import functions, subqueries, values, windows
from tests.oracle.model import Env, Invalid, NotCovered


def evaluate(message: Any, env: Env) -> Any:
    """The value of an expression for one record."""
    kind = message.WhichOneof("rex_type")
    node = getattr(message, kind) if kind else None
    match kind:
        case "literal":
            return values.of_literal(node)
        case "selection":
            return _selection(node, env)
        case "scalar_function":
            return _scalar_function(node, env)
        case "window_function":
            return windows.expression_value(message, env)
        case "if_then":
            return _if_then(node, env)
        case "switch_expression":
            return _switch(node, env)
        case "singular_or_list":
            return _one_of(node, env)
        case "multi_or_list":
            return _rows_one_of(node, env)
        case "nested":
            return _nested(node, env)
        case "lambda":
            return _lambda(node, env)
        case "lambda_invocation":
            return _called(node, env)
        case "cast":
            return values.cast(evaluate(node.input, env), node.type, node.failure_behavior == 1)
        case "subquery":
            return subqueries.value(node, env)
    raise NotCovered(f"expressions of kind {kind}")


def is_true(message: Any, env: Env) -> bool:
    """Conditions keep what is TRUE: NULL is not."""
    return evaluate(message, env) is True


def _selection(node: Any, env: Env) -> Any:
    """2.2: a column of the record, or a field of one; from outside, of the record that many subquery boundaries out,
    or of the one an anchor names. No root type stands for the record itself. No field of NULL has a value."""
    if node.WhichOneof("reference_type") != "direct_reference":
        raise NotCovered("masked references")
    segment = node.direct_reference
    record = _record(node, env)
    while record is not None:
        if segment.WhichOneof("reference_type") != "struct_field":
            raise NotCovered("references into lists and maps")
        if not 0 <= segment.struct_field.field < len(record):
            raise Invalid("a reference to a column that is not there")
        value = record[segment.struct_field.field]
        if not segment.struct_field.HasField("child"):
            return value
        record, segment = value, segment.struct_field.child
    return None


def _record(node: Any, env: Env) -> tuple[Any, ...] | None:
    root = node.WhichOneof("root_type")
    if root in (None, "root_reference"):
        return env.row
    if root == "expression":
        return evaluate(node.expression, env)
    if root == "lambda_parameter_reference":
        steps = node.lambda_parameter_reference.steps_out
        if not 0 <= steps < len(env.lambdas):
            raise Invalid(f"{steps} lambdas out, of {len(env.lambdas)}")
        return env.lambdas[-1 - steps]
    if root != "outer_reference":
        raise NotCovered(f"references to {root}")
    if node.outer_reference.WhichOneof("outer_reference_type") == "rel_reference":
        anchor = node.outer_reference.rel_reference
        if anchor not in env.scope.anchors:
            raise Invalid(f"anchor {anchor} is not in scope")
        return env.scope.anchors[anchor]
    steps = node.outer_reference.steps_out
    if not 1 <= steps <= len(env.scope.hosts):
        raise Invalid(f"{steps} steps out, {len(env.scope.hosts)} boundaries")
    return env.scope.hosts[-steps]


def _nested(node: Any, env: Env) -> list[Any] | tuple[Any, ...]:
    """2.1: a list or a struct of computed values."""
    match node.WhichOneof("nested_type"):
        case "list":
            return [evaluate(v, env) for v in node.list.values]
        case "struct":
            return tuple(evaluate(v, env) for v in node.struct.fields)
    raise NotCovered("maps")


def _lambda(node: Any, env: Env) -> Callable[..., Any]:
    """2.7: a function of Python; its body sees the record and the lambdas around."""
    return lambda *args: evaluate(node.body, replace(env, lambdas=(*env.lambdas, args)))


def _called(node: Any, env: Env) -> Any:
    """2.7: a lambda with its arguments."""
    if not node.HasField("lambda"):
        raise NotCovered("lambdas of the plan")
    args = [evaluate(a, env) for a in node.arguments.fields]
    return _lambda(getattr(node, "lambda"), env)(*args)


def _scalar_function(node: Any, env: Env) -> Any:
    """2.3: arguments by position; the function decides what NULL means."""
    if any(a.WhichOneof("arg_type") != "value" for a in node.arguments):
        raise NotCovered("enum and type arguments")
    args = [evaluate(a.value, env) for a in node.arguments]
    name = env.world.functions[node.function_reference]
    return functions.call(name, node.output_type, args, node.options)


def _if_then(node: Any, env: Env) -> Any:
    """2.5: the result of the first condition that is TRUE; the rest is not evaluated."""
    for clause in node.ifs:
        if is_true(getattr(clause, "if"), env):
            return evaluate(clause.then, env)
    return evaluate(getattr(node, "else"), env) if node.HasField("else") else None


def _switch(node: Any, env: Env) -> Any:
    """2.5: the result of the first arm whose literal equals; NULL equals none, so it takes else."""
    match = evaluate(node.match, env)
    for arm in node.ifs:
        if values.equal(match, values.of_literal(getattr(arm, "if"))) is True:
            return evaluate(arm.then, env)
    return evaluate(getattr(node, "else"), env) if node.HasField("else") else None


def _one_of(node: Any, env: Env) -> bool | None:
    """2.5: value = option 1 OR value = option 2 …; FALSE without options."""
    value = evaluate(node.value, env)
    return values.any_true([values.equal(value, evaluate(o, env)) for o in node.options])


def _rows_one_of(node: Any, env: Env) -> bool | None:
    """2.5: OR over the options of AND over their fields."""
    row = [evaluate(v, env) for v in node.value]
    return values.any_true(
        [
            values.all_true(
                [values.equal(v, evaluate(f, env)) for v, f in zip(row, o.fields, strict=True)]
            )
            for o in node.options
        ]
    )
