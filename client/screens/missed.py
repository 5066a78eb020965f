"""What somebody missed of the match that he came back to: kept as long as he sits there, for whoever asks for it."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from client.network.model import MatchModel
from client.replay.away import Absence

_MISSED: WeakKeyDictionary[MatchModel, Absence] = WeakKeyDictionary()


def keep(match: MatchModel, absence: Absence) -> None:
    """He came back."""
    _MISSED[match] = absence


def missed(match: MatchModel) -> Absence | None:
    """What he missed, as far as anybody knows."""
    return _MISSED.get(match)


def can_see(match: MatchModel) -> bool:
    """Whether it can be shown. What was not asked for while the match went on is found in its replay."""
    absence = _MISSED.get(match)
    return absence is not None and absence.known and (absence.begun or not match.over)


def see(match: MatchModel) -> bool:
    """Have it shown, as soon as it is known; False where there is nothing."""
    if can_see(match):
        _MISSED[match].due = "show"
        return True
    return False
