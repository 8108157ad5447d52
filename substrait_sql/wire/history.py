"""Every protobuf field that the installed bindings may lack or have lost, as data: one line per field.

``NEWER`` are fields of releases after the installed bindings, ``RETIRED`` those that some release
removed or retyped,
``SPELLINGS`` are old names that JSON and text plans use for a field that is still there, carried
under a private number until the upgrade moves them.
"""

from __future__ import annotations

from typing import NamedTuple

FIRST_PRIVATE_NUMBER = 1000
"""Field numbers from here on are ours: they exist between parsing and upgrading, never on the wire."""

DRAFT_DECLARATIONS = 977
"""Where today's ``PlanRel`` keeps the declarations of PR #977; their own number, 3, has another owner since 0.105."""


class Field(NamedTuple):
    """One field: message and name without ``substrait.``, its type in proto spelling, and when it lived."""

    message: str
    number: int
    name: str
    type: str
    repeated: bool = False
    oneof: str = ""
    presence: bool = False
    lived: str = ""
    gone: int = 0
    """Minor number of the first release without the field."""


class EnumType(NamedTuple):
    """A retired enum."""

    name: str
    members: tuple[tuple[str, int], ...]


class Alias(NamedTuple):
    """An old name of an enum's member."""

    enum: str
    name: str
    number: int
    lived: str


NEWER = (
    Field("Expression.NamedLambdaReference", 1, "lambda_reference", "uint32", lived="0.107-"),
    Field("NamedLambda", 1, "lambda_anchor", "uint32", lived="0.107-"),
    Field("NamedLambda", 2, "lambda", ".substrait.Expression.Lambda", lived="0.107-"),
    Field("NamedLambda", 3, "name", "string", presence=True, lived="0.107-"),
    Field("Plan", 11, "named_lambdas", ".substrait.NamedLambda", repeated=True, lived="0.107-"),
    Field("Expression", 18, "detached_expression_ordinal", "uint32", oneof="rex_type", lived="0.105-"),
    Field("Expression", 19, "named_lambda_reference", ".substrait.Expression.NamedLambdaReference",
          oneof="rex_type", lived="0.107-"),
    Field("Expression.LambdaInvocation", 3, "named_lambda", ".substrait.Expression.NamedLambdaReference",
          oneof="lambda_type", lived="0.107-"),
    Field("Rel", 25, "detached_rel_ordinal", "uint32", oneof="rel_type", lived="0.107-"),
    Field("PlanRel", 3, "detached_expressions", ".substrait.Expression", repeated=True, lived="0.105-"),
    Field("PlanRel", 4, "detached_rels", ".substrait.Rel", repeated=True, lived="0.107-"),
    Field("ExtendedExpression", 9, "detached_expressions", ".substrait.Expression", repeated=True, lived="0.105-"),
    Field("ExtendedExpression", 10, "detached_rels", ".substrait.Rel", repeated=True, lived="0.107-"),
    # The draft of PR #977 [41, 42]; never released, but the plans of its readers exist.
    Field("PlanRel.OuterReferenceDeclaration", 1, "outer_reference", ".substrait.Expression.FieldReference"),
    Field("PlanRel.OuterReferenceDeclaration", 2, "type", ".substrait.Type"),
    Field("PlanRel", DRAFT_DECLARATIONS, "outer_reference_declarations",
          ".substrait.PlanRel.OuterReferenceDeclaration", repeated=True),
    Field("ReferenceRel", 2, "outer_reference_bindings", ".substrait.Expression.FieldReference", repeated=True),
)  # fmt: skip

_EXPRESSION = ".substrait.Expression"
_FIELD_REFERENCE = ".substrait.Expression.FieldReference"
_URI = ".substrait.extensions.SimpleExtensionURI"
_DECLARATION = "extensions.SimpleExtensionDeclaration"

RETIRED = (
    Field("extensions.SimpleExtensionURI", 1, "extension_uri_anchor", "uint32", lived="0.1-0.84", gone=85),
    Field("extensions.SimpleExtensionURI", 2, "uri", "string", lived="0.1-0.84", gone=85),
    Field("Plan", 1, "extension_uris", _URI, repeated=True, lived="0.1-0.84", gone=85),
    Field("ExtendedExpression", 1, "extension_uris", _URI, repeated=True, lived="0.23-0.84", gone=85),
    Field(f"{_DECLARATION}.ExtensionType", 1, "extension_uri_reference", "uint32", presence=True,
          lived="0.1-0.84", gone=85),
    Field(f"{_DECLARATION}.ExtensionTypeVariation", 1, "extension_uri_reference", "uint32", presence=True,
          lived="0.1-0.84", gone=85),
    Field(f"{_DECLARATION}.ExtensionFunction", 1, "extension_uri_reference", "uint32", presence=True,
          lived="0.1-0.84", gone=85),
    Field("Expression.Enum", 1, "specified", "string", oneof="enum_kind", lived="0.1-0.92", gone=93),
    Field("Expression.Enum", 2, "unspecified", ".google.protobuf.Empty", oneof="enum_kind",
          lived="0.1-0.92", gone=93),
    Field("Expression", 10, "enum", ".substrait.Expression.Enum", oneof="rex_type", lived="0.1-0.92", gone=93),
    Field("Expression.ScalarFunction", 2, "args", _EXPRESSION, repeated=True, lived="0.1-0.92", gone=93),
    Field("AggregateFunction", 2, "args", _EXPRESSION, repeated=True, lived="0.1-0.92", gone=93),
    Field("Expression.WindowFunction", 8, "args", _EXPRESSION, repeated=True, lived="0.1-0.92", gone=93),
    Field("ReadRel.VirtualTable", 1, "values", ".substrait.Expression.Literal.Struct", repeated=True,
          lived="0.1-0.97", gone=98),
    Field("ReadRel.LocalFiles.FileOrFiles", 5, "format",
          ".substrait.ReadRel.LocalFiles.FileOrFiles.FileFormat", lived="0.1-0.4", gone=5),
    Field("FetchRel", 3, "offset", "int64", presence=True, lived="0.1-0.97", gone=98),
    Field("FetchRel", 4, "count", "int64", presence=True, lived="0.1-0.97", gone=98),
    Field("AggregateRel.Grouping", 1, "grouping_expressions", _EXPRESSION, repeated=True,
          lived="0.1-0.87", gone=88),
    Field("HashJoinRel", 4, "left_keys", _FIELD_REFERENCE, repeated=True, lived="0.23-0.97", gone=98),
    Field("HashJoinRel", 5, "right_keys", _FIELD_REFERENCE, repeated=True, lived="0.23-0.97", gone=98),
    Field("MergeJoinRel", 4, "left_keys", _FIELD_REFERENCE, repeated=True, lived="0.23-0.97", gone=98),
    Field("MergeJoinRel", 5, "right_keys", _FIELD_REFERENCE, repeated=True, lived="0.23-0.97", gone=98),
    Field("Expression.Literal", 14, "timestamp", "int64", oneof="literal_type", lived="0.1-0.87", gone=88),
    Field("Expression.Literal", 17, "time", "int64", oneof="literal_type", lived="0.1-0.87", gone=88),
    Field("Expression.Literal", 27, "timestamp_tz", "int64", oneof="literal_type", lived="0.1-0.87", gone=88),
    Field("Expression.Literal.IntervalDayToSecond", 3, "microseconds", "int32", presence=True,
          lived="0.3-0.97", gone=98),
    Field("Type.Timestamp", 1, "type_variation_reference", "uint32", lived="0.1-0.87", gone=88),
    Field("Type.Timestamp", 2, "nullability", ".substrait.Type.Nullability", lived="0.1-0.87", gone=88),
    Field("Type.Time", 1, "type_variation_reference", "uint32", lived="0.1-0.87", gone=88),
    Field("Type.Time", 2, "nullability", ".substrait.Type.Nullability", lived="0.1-0.87", gone=88),
    Field("Type.TimestampTZ", 1, "type_variation_reference", "uint32", lived="0.1-0.87", gone=88),
    Field("Type.TimestampTZ", 2, "nullability", ".substrait.Type.Nullability", lived="0.1-0.87", gone=88),
    Field("Type", 14, "timestamp", ".substrait.Type.Timestamp", oneof="kind", lived="0.1-0.87", gone=88),
    Field("Type", 17, "time", ".substrait.Type.Time", oneof="kind", lived="0.1-0.87", gone=88),
    Field("Type", 29, "timestamp_tz", ".substrait.Type.TimestampTZ", oneof="kind", lived="0.1-0.87", gone=88),
    Field("Type", 31, "user_defined_type_reference", "uint32", oneof="kind", lived="0.1-0.94", gone=95),
)  # fmt: skip

RETIRED_ENUMS = (
    EnumType(
        "ReadRel.LocalFiles.FileOrFiles.FileFormat",
        (("FILE_FORMAT_UNSPECIFIED", 0), ("FILE_FORMAT_PARQUET", 1)),
    ),
)

SPELLINGS = (
    Field("Version", 1001, "major", "uint32", lived="0.18"),
    Field("Version", 1002, "minor", "uint32", lived="0.18"),
    Field("Version", 1003, "patch", "uint32", lived="0.18"),
    # In 0.58 a row of a virtual table was an Expression [14]; on the wire that is the same field
    # number.
    Field(
        "Expression.Nested.Struct", 1001, "literal", ".substrait.Expression.Literal", lived="0.58"
    ),
    Field("Expression.Nested.Struct", 1002, "nested", ".substrait.Expression.Nested", lived="0.58"),
    # PlanRel.3 has two owners, so it is read as raw bytes; the names are kept for JSON and text.
    Field("PlanRel", 3, "raw_field_3", "bytes", repeated=True),
    Field("PlanRel", 1003, "detached_expressions", _EXPRESSION, repeated=True),
)

PRESENCE = (
    # Plain fields of which old plans must be asked whether they were written at all.
    ("Expression.Literal.IntervalDayToSecond", "precision"),
)

RETYPED = (
    # How text plans of the time spell fields that kept number and name: [11] and [24].
    Field("FunctionArgument.Enum", 1, "specified", "string", oneof="enum_kind", lived="0.3-0.19"),
    Field("FunctionArgument.Enum", 2, "unspecified", ".google.protobuf.Empty", oneof="enum_kind", lived="0.3-0.19"),
    Field("FunctionArgument", 1, "enum", ".substrait.FunctionArgument.Enum", oneof="arg_type", lived="0.3-0.19"),
    Field("Expression.Literal", 34, "precision_timestamp", "uint64", oneof="literal_type", lived="0.43-0.51"),
    Field("Expression.Literal", 35, "precision_timestamp_tz", "uint64", oneof="literal_type", lived="0.43-0.51"),
)  # fmt: skip

ALIASES = (
    Alias("JoinRel.JoinType", "JOIN_TYPE_SEMI", 5, "0.1-0.53"),
    Alias("JoinRel.JoinType", "JOIN_TYPE_ANTI", 6, "0.1-0.53"),
    Alias("JoinRel.JoinType", "JOIN_TYPE_SINGLE", 7, "0.1-0.53"),
    Alias("WriteRel.OutputMode", "OUTPUT_MODE_MODIFIED_TUPLES", 2, "0.40"),
)

ENUM_OPTIONS = {
    "divide": ("on_domain_error", "on_division_by_zero"),
    **dict.fromkeys(("ln", "log10", "log2", "logb", "log1p"), ("on_domain_error", "on_log_zero")),
}
"""Functions with enum arguments, also required ones, that are options since 0.20 and have values in common."""

ORDINALS = (("Expression", "detached_expression_ordinal"), ("Rel", "detached_rel_ordinal"))
"""What stands in a plan for a subtree that is elsewhere."""

READ_IN_TWO_WAYS = (("Rel", "expand"),)
"""What some producer means in another way than the standard, in any release."""

UNVERSIONED = (("FunctionArgument", "enum"),)
"""What may mean something else in a plan that does not say its version."""

CHANGED_MEANING: tuple[tuple[int, tuple[tuple[str, str], ...]], ...] = (
    # (release of the change, the fields through which every affected node is reached)
    (102, (("Expression", "window_function"), ("Rel", "window"))),
    (91, (("Rel", "hash_join"), ("Rel", "merge_join"))),
    (72, (("Rel", "join"), ("Rel", "nested_loop_join"))),
    (98, (("Expression.Literal", "interval_day_to_second"), ("Type", "interval_day"))),
    (78, (("Expression.Literal", "user_defined"),)),
)
"""Fields whose content means something else before a release, though its form is the same."""

SINCE = {
    "Plan": {
        "parameter_bindings": 58,
        "extension_urns": 75,
        "type_aliases": 75,
        "execution_behavior": 79,
        "named_lambdas": 107,
    },
    "ExtendedExpression": {"extension_urns": 75},
    "FetchRel": {"offset_expr": 63, "count_expr": 63},
    "AggregateRel": {"grouping_expressions": 57},
    "ReadRel.VirtualTable": {"expressions": 58},
    "Expression.Lambda": {"body": 79},
    "Expression.LambdaInvocation": {"lambda": 79, "named_lambda": 107},
    "Expression.NamedLambdaReference": {"lambda_reference": 107},
    "Expression.ExecutionContextVariable": {
        "current_timestamp": 79,
        "current_date": 79,
        "current_timezone": 79,
    },
    "Expression.FieldReference.OuterReference": {"rel_reference": 89},
    "RelCommon": {"rel_anchor": 79},
    "TopNRel": {"input": 88},
    "HashJoinRel": {"residual_expression": 91},
    "MergeJoinRel": {"residual_expression": 91},
    "LateralJoinRel": {"left": 96},
    "UpdateRel": {"common": 99},
    "Expression.WindowFunction.Bound.Preceding": {"offset_expr": 102},
    "Expression.WindowFunction.Bound.Following": {"offset_expr": 102},
}
"""From which release on a field was there: it dates a plan that says an older one.

Read from the releases' descriptors; where not all were at hand, a release that surely had it not is counted from. Left
out are fields that an upgrade writes into a child before the walk comes to it.
"""

ALWAYS_WALKED_BEFORE = 63
"""Plans of releases before this one always take the long way."""

PRODUCERS_WALKED_BEFORE = {"isthmus": 85}
"""Those of a producer in lower case, where what has to be upgraded is in no field of its own."""

BARE_TIMESTAMP = "a bare {} literal is read as microseconds"
"""What is said of a literal of 0.43 to 0.51, which had no precision of its own."""
