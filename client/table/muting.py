"""Choices for the host to mute people or to hear them again, with the same words everywhere."""

from collections.abc import Callable
from functools import partial
from typing import Final

from client.language import _
from client.network.model import voices
from client.table.match import TableMatch
from client.table.position import T

MUTING: Final = _("Muted people can still play or watch; the table does not see what they write until you end it.")
"""Explanation of the effect of muting."""


def mutings(match: TableMatch[T], most: int) -> list[tuple[str, Callable[[], object]]]:
    """Return words and actions for at most `most` people, the latest speakers first."""
    muted = match.muted
    return [
        (
            _("Unmute {name}", name=name) if name in muted else _("Mute {name}", name=name),
            partial(match.mute, name, name not in muted),
        )
        for name in voices(match)[:most]
    ]
