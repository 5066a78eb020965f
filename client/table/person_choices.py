"""Choices about one person at the table: report them, hide what they say, never sit with them."""

from collections.abc import Callable
from functools import partial
from typing import Final

from client.language import _
from client.network.model import voices
from client.table.match import TableMatch
from client.table.position import T

NOT_TOLD: Final = _("They are not told of any of this.")
"""Words below the choices."""


def people(match: TableMatch[T], most: int | None = None) -> list[str]:
    """Return the names of people at the table, the latest speakers first; none without a server that knows blocks."""
    if match.blocks is None or not match.blocks.possible:
        return []
    onlookers = match.table.onlookers if match.table is not None else ()
    return list(dict.fromkeys((*voices(match), *onlookers, *sorted(match.blocks.hidden))))[:most]


def person_choices(match: TableMatch[T], name: str, words: str = "") -> list[tuple[str, Callable[[], object]]]:
    """Return words and actions for a person. `words`: the line to report, "" for the last one."""
    blocks = match.blocks
    if blocks is None:
        return []
    wishes, said = blocks.wishes(name), ["", *[line.text for line in match.chat if line.name == name]]
    hide = partial(blocks.block, name, avoid=wishes.avoid, hide=not wishes.hide)
    avoid = partial(blocks.block, name, avoid=not wishes.avoid, hide=wishes.hide)
    return [
        (_("Report to the operator"), partial(blocks.report, name, words or said[-1], match.version)),
        (_("Show what they say again") if wishes.hide else _("Hide what they say"), hide),
        (_("Seat me with them again") if wishes.avoid else _("Never seat me with them"), avoid),
    ]
