"""Events that a returning player missed, kept while they have their seat, for all screens."""

from weakref import WeakKeyDictionary

from client.network.model import MatchModel
from client.replay.absence_scenes import Absence

_MISSED: WeakKeyDictionary[MatchModel, Absence] = WeakKeyDictionary()


def keep(match: MatchModel, absence: Absence) -> None:
    """Store the events of the player's absence."""
    _MISSED[match] = absence


def missed(match: MatchModel) -> Absence | None:
    """Return the missed events, None if there are none."""
    return _MISSED.get(match)


def can_see(match: MatchModel) -> bool:
    """Whether missed events can be shown. Those not requested before the match's end are in its replay."""
    absence = _MISSED.get(match)
    return absence is not None and absence.known and (absence.begun or not match.over)


def see(match: MatchModel) -> bool:
    """Request that missed events be shown once they arrive; return False if there are none."""
    if can_see(match):
        _MISSED[match].due = "show"
        return True
    return False
