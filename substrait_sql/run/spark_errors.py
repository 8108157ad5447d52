"""What Spark, Py4J and Connect raise, as errors of ours: a code, the node, what Spark says, and none of Java's stack.

Nothing here imports pyspark: an error is known by where it comes from, and by its text.
"""

from __future__ import annotations

import re
import traceback
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING

from substrait_sql.errors import ExecutionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.rendered import Rendered

LONGEST = 600
"""How many characters of an error's text are kept."""

_PACKAGES = ("pyspark", "py4j", "grpc")
_ENDED = (
    "stopped SparkContext",
    "SparkContext was shut down",
    "SparkContext.dagScheduler()",
    "SparkContext or SparkSession should be created first",
    "Target Object ID does not exist",
    "Answer from Java side is empty",
    "connect to the Java server",
    "[Errno 111] Connection refused",
    "INVALID_HANDLE.SESSION",
    "StatusCode.UNAVAILABLE",
    "failed to connect to all addresses",
)
_MEMORY = (
    "OutOfMemoryError",
    "UNABLE_TO_ACQUIRE_MEMORY",
    "Not enough memory to build and broadcast",
    "spark.driver.maxResultSize",
)
# What begins the report of an exception in Java, and of the one behind it.
_JAVA = re.compile(r"^(?:: |Caused by: )(?=[\w.$]+)", re.MULTILINE)
_STACK = re.compile(r"^\s+(?:at |\.\.\. \d+ more|Suppressed: ).*\n?", re.MULTILINE)
_CLASS = re.compile(r"^(?:[\w$]+\.)+([\w$]+)(?:: |$)")
_WRAPPER = re.compile(r"^An error occurred while calling \S+( Trace:)?\n(?:py4j\.Py4JException: )?")
_TASK = re.compile(r"^Job aborted due to stage failure: .*?\(TID \d+\) \([^)]*\): ", re.DOTALL)
# What follows what an error says: where in the text it was, the plan, Java's stack.
_REST = re.compile(
    r"\n== |\nThis stopped SparkContext was created at|;\s*\n['+!]?[A-Z]"
    r"|\nParse Mode: |\n\s*JVM stacktrace:|\nDriver stacktrace:|\n\tSuppressed: "
)
_RECORD = "[MALFORMED_RECORD_IN_PARSING"
_DETAILS = re.compile(r'\bdetails = "(.*?)"\s*\n', re.DOTALL)
_TRACEBACK = "Traceback (most recent call last):"
_LINE = re.compile(r"\bline (\d+),? pos(?:ition)? \d+")


def is_sparks(error: BaseException) -> bool:
    """Whether an error comes from Spark or from what it is reached through, and not from code of ours."""
    if isinstance(error, (ConnectionError, EOFError)):
        return True
    if type(error).__module__.partition(".")[0] in _PACKAGES:
        return True
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and any(f"/{p}/" in frames[-1].filename for p in _PACKAGES)


@contextmanager
def as_ours(doing: str) -> Iterator[None]:
    """Turns what Spark raises while we do something into an `ExecutionError`; other errors pass as they are."""
    try:
        yield
    except Exception as error:
        if isinstance(error, ExecutionError) or not is_sparks(error):
            raise
        raise ours(error, "SS4010", f"Spark failed while {doing}") from error


def ours(
    error: BaseException, code: str, what: str, path: str = "", hint: str = ""
) -> ExecutionError:
    """The error under a code, unless it says that the session cannot go on: that has a code of its own.

    what: what it was that failed; what Spark says follows. path: the node of the plan.
    """
    if isinstance(error, ExecutionError):
        return error
    text = str(error)
    if _is_ended(error, text):
        return ExecutionError.of(
            "SS4023",
            f"the Spark session has ended: {said(error)}",
            path,
            hint="start another one; its own log says why, if nobody stopped it",
        )
    if "java.lang.StackOverflowError" in text:
        return ExecutionError.of(
            "SS4022",
            "the query is nested too deeply for the stack that this Spark's driver has",
            path,
            hint="start the driver with spark.driver.extraJavaOptions=-Xss32m, as local_session() does",
        )
    if any(sign in text for sign in _MEMORY):
        return ExecutionError.of(
            "SS4024",
            f"Spark ran out of memory: {said(error)}",
            path,
            hint="give it more before it starts, such as --conf spark.driver.memory=4g",
        )
    return ExecutionError.of(code, f"{what}: {said(error)}", path, hint)


def _is_ended(error: BaseException, text: str) -> bool:
    if isinstance(error, (ConnectionError, EOFError)):
        return True
    # A stopped session has None where its connections were.
    gone = isinstance(error, (AttributeError, AssertionError, TypeError)) and is_sparks(error)
    return (gone and ("NoneType" in text or not text)) or any(sign in text for sign in _ENDED)


def said(error: BaseException) -> str:
    """What an error says, on one line: without Py4J's wrapper, Java's stack, and where in the text it was."""
    text = str(error).strip()
    details = _DETAILS.search(text)
    if details is not None:
        text = details[1]
    text = _raised_in_python(text) if _TRACEBACK in text else _said_by_java(text)
    text = " ".join(text.split()) or type(error).__name__
    return text if len(text) <= LONGEST else text[: LONGEST - 2] + " …"


def _raised_in_python(text: str) -> str:
    """What stands before a traceback, and behind its last place."""
    before, _, trace = text.partition(_TRACEBACK)
    lines = trace.splitlines()
    places = [i for i, line in enumerate(lines) if line.startswith("  ")]
    raised = " ".join(lines[places[-1] + 1 :] if places else lines)
    if "thrown from the Python worker" in before:
        before = "a Python function failed: "
    return _WRAPPER.sub("", before) + raised


def _said_by_java(text: str) -> str:
    """The first exception that says something, and the last one behind it."""
    reports = _JAVA.split(_STACK.sub("", text))
    if len(reports) == 1:
        return _REST.split(_WRAPPER.sub("", reports[0]))[0]
    found = [said for said in map(_message, reports[1:]) if said]
    if not found:
        return reports[0]
    named = [said for said in found if said.startswith("[")]
    first = (named or found)[0]
    # Of a file that cannot be read, what is wrong with it is another exception of Spark's, in between.
    records = [said for said in named[1:] if said.startswith(_RECORD)]
    last = records[0] if records else found[-1]
    own = last.partition(": ")[2] or last
    told = own in first or (last.startswith("[") and not records)
    return first if told else f"{first} ({last})"


def _message(report: str) -> str:
    """The message of one exception, with its class unless that is Spark's own; empty if it has none."""
    report = _TASK.sub("", _CLASS.sub(_named, report.strip(), count=1))
    report = _CLASS.sub(_named, report, count=1)
    text = _REST.split(report)[0].strip()
    return "" if text.endswith(":") or text.startswith("Exception thrown in awaitResult") else text


def _named(found: re.Match[str]) -> str:
    ending = found[0].endswith(": ")
    return f"{found[1]}: " if not ending or not found[1].startswith("Spark") else ""


def line_of(error: BaseException) -> int | None:
    """The line of the SQL that an error is about, from 1; None if it does not say."""
    found = _LINE.search(str(error))
    return int(found[1]) if found is not None else None


def node_at(line: int, rendered: Rendered) -> str:
    """The node of the plan that a line of the text is made of, empty if the text does not tell.

    A query inside of another one stands further to the right: it ends where the text is back to the left of it. What
    stands below several queries at one depth is about all of them.
    """
    lines = rendered.sql.split("\n")
    if not 0 < line <= len(lines):
        return ""
    depths = [_indent(text) for text in lines]
    found = [
        (depths[at - 1], path)
        for at, path in rendered.source_map
        if at <= line and depths[at - 1] <= min(depths[at - 1 : line])
    ]
    beside = [path for depth, path in found if depth == found[-1][0]]
    return above(beside) if found else ""


def above(paths: Sequence[str]) -> str:
    """The node that all of these paths are in or are."""
    steps = zip(*(path.split(".") for path in paths), strict=False)
    return ".".join(step[0] for step in takewhile(lambda step: len(set(step)) == 1, steps))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
