"""How Sphinx makes the site of these pages: `make docs`. The order of the pages is in index.md."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pygments.lexers.special import TextLexer

from substrait_sql import __version__, report

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent

project = "substrait-sql"
release = version = __version__
html_title = f"substrait-sql {__version__}"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["examples", "gallery"]

# Of quotes, dashes and dots in texts only the dashes are set.
smartquotes_action = "D"

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_use_index = html_domain_indices = False
html_show_copyright = False

# Links into a page go to headings by the names that code hosts give them.
myst_heading_anchors = 4
# The page of a plan in the gallery, which is made below: `[report](report:tpch_21)`. A code host shows the word alone.
myst_url_schemes = {"http": None, "https": None, "report": "reports/{{path}}.html"}

# `render` in a docstring is a link to it, and a warning if there is no such name.
default_role = "py:obj"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 88
# What other packages and the standard library have, and types that have no page of their own.
nitpick_ignore_regex = [
    (
        "py:(class|obj)",
        r"(DataFrame|SparkSession|Session|ConnectSession|SchemaFinder|TableFinder|Dialect|Any|Self).*",
    ),
    ("py:(class|obj)", r"(collections|os|pathlib|enum|typing|google|pyspark|substrait)\..*"),
    ("py:(class|obj)", r"(Callable|Iterable|Mapping|Path|PathLike|Row|Sequence|SourceMap)"),
    ("py:class", r"substrait_sql\.(extensions\.Column|rendered\.Declared)"),
]


def name_arguments(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """A line of a docstring that begins with an argument's name and a colon, and those behind it, is about that one.

    Of a class the arguments are its fields, which have their types. Pages that are named become links.
    """
    lines[:] = [re.sub(r"docs/(\w+)\.md", r":doc:`\1`", line) for line in lines]
    try:
        given = inspect.signature(obj).parameters
    except (TypeError, ValueError):
        return
    field = "ivar" if inspect.isclass(obj) else "param"
    made: list[str] = []
    inside = False
    for line in lines:
        found = re.match(r"(\w+): (.*)", line)
        if found and found[1] in given:
            made += [] if inside else [""]
            made.append(f":{field} {found[1]}: {found[2]}")
            if field == "ivar":
                type_ = given[found[1]].annotation
                made.insert(-1, f":vartype {found[1]}: {getattr(type_, '__forward_arg__', type_)}")
            inside = True
        elif not inside:
            made.append(line)
        elif line.startswith("Raises ") or not line.strip():
            made += ["", line]
            inside = False
        else:
            made.append(f"    {line}")
    lines[:] = made


def write_reports(app: Sphinx, error: Exception | None) -> None:
    """A page for each plan of the gallery, as `substrait-sql report` writes it."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "reports"
    folder.mkdir(exist_ok=True)
    for plan in sorted((HERE / "gallery").glob("*.pb")):
        text = report({plan.stem: plan}, title=plan.stem)
        (folder / f"{plan.stem}.html").write_text(text, encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("autodoc-process-docstring", name_arguments)
    app.add_lexer("gitattributes", TextLexer)
    app.connect("build-finished", write_reports)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
