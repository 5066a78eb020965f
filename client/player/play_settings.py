"""Settings for the display of events and for confirmations at the table."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

PACES: Final = {"off": 0.0, "quick": 2.5, "normal": 1.0, "slow": 0.6}
"""Speed of animations as a factor; 0: none are shown."""
USUAL_PACE: Final = "normal"
BOT_PAUSES: Final = {"none": 0.0, "short": 0.4, "normal": 0.9, "long": 1.8}
"""Seconds for which the table shows what a bot did before it shows more."""
USUAL_PAUSE: Final = "normal"


class PlaySettings(Struct, omit_defaults=True):
    """Settings at the table.

    `pace`: one of PACES. `others`: whether battles without this player are shown. `still`: nothing moves, but texts
    stay as long as usual. `ending`, `dooming`: whether to ask before ending a phase with something undone, and before
    giving up an army. `bots`: one of BOT_PAUSES.
    """

    pace: str = USUAL_PACE
    others: bool = True
    still: bool = False
    ending: bool = True
    dooming: bool = True
    bots: str = USUAL_PAUSE

    @property
    def speed(self) -> float:
        """Speed of animations; the usual one if the file has an invalid value."""
        return PACES.get(self.pace, PACES[USUAL_PACE])

    @property
    def bot_pause(self) -> float:
        """Seconds for which something that a bot did is shown; the usual ones if the file has an invalid value."""
        return BOT_PAUSES.get(self.bots, BOT_PAUSES[USUAL_PAUSE])

    @property
    def moves(self) -> bool:
        """Whether anything moves."""
        return bool(self.speed) and not self.still

    def reset(self) -> None:
        """Restore the defaults."""
        self.pace, self.others, self.still, self.ending, self.dooming = USUAL_PACE, True, False, True, True
        self.bots = USUAL_PAUSE
