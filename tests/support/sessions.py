"""Sessions as users set them up: whatever is set here must not change a row."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession

UNCOMPILED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}
"""Queries that Spark interprets, as the session of all tests has it: small ones take longer to compile than to run."""

COMPILED = {
    "spark.sql.codegen.wholeStage": "true",
    "spark.sql.codegen.factoryMode": "FALLBACK",
    "spark.sql.adaptive.enabled": "true",
}
"""What Spark does where nobody sets anything: the fixture `compiled` has it so for the tests of a module."""

_LENIENT = {
    "spark.sql.ansi.enabled": "false",
    "spark.sql.storeAssignmentPolicy": "LEGACY",
    "spark.sql.function.concatBinaryAsString": "true",
    "spark.sql.function.eltOutputAsString": "true",
    "spark.sql.legacy.statisticalAggregate": "true",
    "spark.sql.legacy.followThreeValuedLogicInArrayExists": "false",
    "spark.sql.legacy.createEmptyCollectionUsingStringType": "true",
    "spark.sql.legacy.lpadRpadAlwaysReturnString": "true",
}
_QUOTES = {
    "spark.sql.variable.substitute": "true",
    "spark.sql.parser.escapedStringLiterals": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.ansi.enforceReservedKeywords": "true",
    "spark.sql.parser.quotedRegexColumnNames": "true",
    "spark.sql.legacy.consecutiveStringLiterals.enabled": "true",
}
_NAMES = {
    "spark.sql.caseSensitive": "true",
    "spark.sql.groupByOrdinal": "true",
    "spark.sql.orderByOrdinal": "true",
    "spark.sql.groupByAliases": "false",
    "spark.sql.ansi.relationPrecedence": "true",
    "spark.sql.legacy.ctePrecedencePolicy": "LEGACY",
    "spark.sql.legacy.setopsPrecedence.enabled": "true",
    "spark.sql.legacy.parser.havingWithoutGroupByAsWhere": "true",
}
_NUMBERS = {
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    "spark.sql.legacy.literal.pickMinimumPrecision": "false",
    "spark.sql.legacy.exponentLiteralAsDecimal.enabled": "true",
    "spark.sql.legacy.allowNegativeScaleOfDecimal": "true",
}
_FUNCTIONS = {
    "spark.sql.chunkBase64String.enabled": "false",
    "spark.sql.preserveCharVarcharTypeInfo": "true",
    "spark.sql.legacy.codingErrorAction": "true",
    "spark.sql.legacy.decimal.retainFractionDigitsOnTruncate": "true",
    "spark.sql.legacy.duplicateBetweenInput": "true",
    "spark.sql.legacy.integerGroupingId": "true",
    "spark.sql.legacy.javaCharsets": "true",
    "spark.sql.legacy.negativeIndexInArrayInsert": "true",
    "spark.sql.legacy.percentileDiscCalculation": "true",
}
_TIMES = {
    "spark.sql.session.timeZone": "America/New_York",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.legacy.interval.enabled": "true",
}

CONFIGURATIONS: dict[str, dict[str, str]] = {
    "defaults": COMPILED,
    "lenient": _LENIENT,
    "quotes": _QUOTES,
    "names": _NAMES,
    "numbers": _NUMBERS,
    "times": _TIMES,
    "everything": {**_LENIENT, **_QUOTES, **_NAMES, **_NUMBERS, **_FUNCTIONS, **_TIMES},
}
"""Each sets what belongs together to the other value; the first one is what Spark is without any setting."""


@contextmanager
def configured(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    """The session with these settings, and again as it was."""
    before = {key: spark.conf.get(key, None) for key in settings}
    try:
        for key, value in settings.items():
            spark.conf.set(key, value)
        yield
    finally:
        for key, old in before.items():
            if old is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, old)
