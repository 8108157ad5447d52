"""The session settings that the text relies on.

Each decides what some text means, and Spark reads it while it parses or analyses a statement, so that it can be set
for the statement alone. All of Spark's settings were tried the other way round on the test plans and function cases
(`docs/safety.md`); these made a difference, or belong to syntax that the plans do not happen to use together.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from substrait_sql.rendered import ZONE

if TYPE_CHECKING:
    from collections.abc import Mapping

PINNED: Mapping[str, str] = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "false",
    "spark.sql.groupByOrdinal": "false",
    "spark.sql.orderByOrdinal": "false",
    "spark.sql.variable.substitute": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.session.timeZone": ZONE,
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
}
"""Set for every statement: Spark's default is another value, or hangs on where it runs."""

DEFAULTS: Mapping[str, str] = {
    "spark.sql.ansi.enforceReservedKeywords": "false",
    "spark.sql.ansi.relationPrecedence": "false",
    "spark.sql.function.concatBinaryAsString": "false",
    "spark.sql.function.eltOutputAsString": "false",
    "spark.sql.groupByAliases": "true",
    # Not pinned, as Spark warns about each call that sets it.
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.parser.quotedRegexColumnNames": "false",
    "spark.sql.storeAssignmentPolicy": "ANSI",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.legacy.allowNegativeScaleOfDecimal": "false",
    "spark.sql.legacy.consecutiveStringLiterals.enabled": "false",
    "spark.sql.legacy.createEmptyCollectionUsingStringType": "false",
    "spark.sql.legacy.ctePrecedencePolicy": "CORRECTED",
    "spark.sql.legacy.exponentLiteralAsDecimal.enabled": "false",
    "spark.sql.legacy.followThreeValuedLogicInArrayExists": "true",
    "spark.sql.legacy.interval.enabled": "false",
    "spark.sql.legacy.literal.pickMinimumPrecision": "true",
    "spark.sql.legacy.lpadRpadAlwaysReturnString": "false",
    "spark.sql.legacy.parser.havingWithoutGroupByAsWhere": "false",
    "spark.sql.legacy.setopsPrecedence.enabled": "false",
    "spark.sql.legacy.statisticalAggregate": "false",
}
"""Spark's own defaults: set only in a session that has another value."""

SETTINGS: Mapping[str, str] = {**PINNED, **DEFAULTS}

TIMES: Mapping[str, str] = {"spark.sql.timeType.enabled": "true"}
"""For plans with times of day."""

_LATER: Mapping[str, str] = {
    "spark.sql.legacy.scalarSubqueryCountBugBehavior": "true",
    "spark.sql.optimizer.decorrelateExistsSubqueryLegacyIncorrectCountHandling.enabled": "true",
    "spark.sql.optimizer.decorrelateInnerQuery.enabled": "false",
    "spark.sql.optimizer.decorrelateLimitOffsetLegacyIncorrectOrderHandling.enabled": "true",
    "spark.sql.optimizer.decorrelateSubqueryLegacyIncorrectCountHandling.enabled": "true",
}

# What only calls of some functions go by.
_LATER_OF_CALLS = (
    (
        re.compile(r"\b(date_format|(try_)?to_(date|timestamp))\("),
        ("spark.sql.legacy.timeParserPolicy", "LEGACY"),
    ),
    (
        re.compile(r"\b(upper|lower|initcap)\("),
        ("spark.sql.icu.caseMappings.enabled", "false"),
    ),
    (re.compile(r"\bsplit\("), ("spark.sql.legacy.truncateForEmptyRegexSplit", "true")),
    (re.compile(r"\bAS STRING\)"), ("spark.sql.legacy.castComplexTypesToString.enabled", "true")),
)


def harmful(sql: str) -> Mapping[str, str]:
    """Settings that Spark reads when rows are made, which no statement can set for itself.

    Each has the value under which the rows of this text could be others.
    """
    return {**_LATER, **dict(pair for calls, pair in _LATER_OF_CALLS if calls.search(sql))}
