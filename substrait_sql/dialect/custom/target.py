"""What a user's own dialect says of the text itself: its printer, quotes, words and settings, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.dialect import target
from substrait_sql.dialect.target import Said, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from substrait_sql.dialect.files.yaml_file import YamlFile
    from substrait_sql.errors import Diagnostic


def read(
    file: YamlFile, text_of: Callable[[str], str], below: Sequence[Said]
) -> tuple[Said, list[Diagnostic]]:
    """What a ``dialect.yaml`` says, and what is wrong with it. below: what those say that it extends."""
    metadata = file.raw.get("metadata") or {}
    wrong = [
        file.problem("SS2410", message, ["metadata", *at])
        for at, message in target.problems(metadata, text_of)
    ]
    if wrong:
        return Said(), wrong
    said = target.read(metadata, text_of)
    return said, list(_other_rows(file, said, below))


def _other_rows(file: YamlFile, said: Said, below: Sequence[Said]) -> Iterator[Diagnostic]:
    """Settings under which the texts of a dialect below would mean something else: it has said what they rely on."""
    known = Target([Said(quotes=Target([said, *below]).quotes), *below]).settings
    for i, each in enumerate(said.settings):
        relied, harmful = known.get(each.name), known.get(each.name, late=True)
        hint = "leave it out: it is inherited"
        if relied is not None and (each.late or each.value != relied.value):
            what = f"texts rely on {each.name}={relied.value}: {relied.why}"
            yield file.problem("SS2410", what, ["metadata", "settings", i], hint)
        if harmful is not None and not each.late and harmful.spoils(each.value):
            what = f"no session may have {each.name}={each.value}: {harmful.why}"
            yield file.problem("SS2410", what, ["metadata", "settings", i], hint)
        if harmful is not None and each.late:
            what = f"sessions are asked for {each.name} already: {harmful.why}"
            yield file.problem("SS2410", what, ["metadata", "settings", i], hint)
