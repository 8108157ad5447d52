"""What of a condition whoever asks can tell apart, so what of TRUE, FALSE and NULL the SQL of it has to get right."""

from __future__ import annotations

from enum import Enum


class Asked(Enum):
    """VALUE: all three. TRUE: whether it is TRUE, so that FALSE may stand for NULL, as in a filter or in ON.

    FALSE: whether it is FALSE, so that TRUE may stand for NULL, as below the NOT of a filter.
    """

    VALUE = 1
    TRUE = 2
    FALSE = 3

    def through(self, function: str) -> Asked:
        """What is asked of the arguments of a function. AND and OR never turn TRUE to FALSE, NOT always does.

        A test of the truth tells its argument's TRUE, or FALSE, from the rest, whatever is asked of the test.
        """
        if function in ("and", "or"):
            return self
        if function in TESTS:
            return TESTS[function]
        return _DENIED[self] if function == "not" else VALUE


# Asked of most expressions of a plan: Python looks up a member of an Enum as slowly as it calls a function.
VALUE = Asked.VALUE

_DENIED = {Asked.VALUE: Asked.VALUE, Asked.TRUE: Asked.FALSE, Asked.FALSE: Asked.TRUE}

# The functions that are never NULL, and what each of them asks.
TESTS = {
    "is_true": Asked.TRUE,
    "is_not_true": Asked.TRUE,
    "is_false": Asked.FALSE,
    "is_not_false": Asked.FALSE,
}
