"""Rolls of the battle die, as Classic and Conquest II show them."""

from collections.abc import Sequence
from typing import Final

from client.language import _, ngettext
from client.table.battle_playback import FallenDice
from shared.ids import Seat
from shared.mechanics.battledice import DIE

_DIE: Final = tuple(f"die_{name}" for name in DIE)


def marked_roll(faces: Sequence[int], seat: Seat, hits: int, room: dict[str, int]) -> FallenDice:
    """Return the roll with its hits marked: dice that find a unit of their kind, `hits` of them at most.

    room: the units that can match, by the name of the face.
    """
    scoring: list[bool] = []
    for face in faces:
        name = DIE[face]
        # Each die takes a unit of its own: two dice cannot find the same one.
        good = room.get(name, 0) > 0 and sum(scoring) < hits
        if good:
            room[name] -= 1
        scoring.append(good)
    words = ngettext("{n} hit", "{n} hits", hits) if hits else _("no hit")
    return FallenDice(seat, tuple(_DIE[face] for face in faces), tuple(scoring), hits, _DIE, words)
