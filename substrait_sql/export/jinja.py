"""Text that Jinja gives back as it is, and the templates of files that dbt reads.

Those hold Jinja for dbt, so that they are templates with other marks: ``<< name >>``, ``<% for … %>``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from substrait_sql.resources import TEMPLATES

if TYPE_CHECKING:
    from jinja2 import Environment

_OPENS = re.compile(r"\{(?=[{%#]|\Z)|\r")


def escaped(text: str) -> str:
    r"""Text that Jinja prints as it is: nothing in it opens a call, and no line break becomes another.

    >>> print(escaped("SELECT '{{ x }}', '{%'"))
    SELECT '{{ '{' }}{ x }}', '{{ '{' }}%'
    """
    return _OPENS.sub(lambda m: "{{ '\\r' }}" if m[0] == "\r" else "{{ '{' }}", text)


def quoted(text: str) -> str:
    r"""A text as Jinja's own literal.

    >>> print(quoted("it's"))
    'it\'s'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def filled(template: str, **values: Any) -> str:
    """A file of ``templates/dbt/``, filled in."""
    return _environment().get_template(f"{template}.jinja").render(**values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment(
        loader=FileSystemLoader(TEMPLATES / "dbt"),
        undefined=StrictUndefined,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        keep_trailing_newline=True,
    )
