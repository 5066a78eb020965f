"""How the table shows what happens, and what it asks before it is done, as the player wishes."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

PACES: Final = {"off": 0.0, "quick": 2.5, "normal": 1.0, "slow": 0.6}
"""How fast time passes for what moves; 0: nothing is shown on its way."""
USUAL_PACE: Final = "normal"


class PlaySettings(Struct, omit_defaults=True):
    """`pace`: one of PACES. `others`: whether battles are shown in which one takes no part. `still`: nothing moves, but
    all that is to be read stays as long as it would. `ending`, `dooming`: whether one is asked before a phase ends that
    leaves something undone, and before an army is given up."""

    pace: str = USUAL_PACE
    others: bool = True
    still: bool = False
    ending: bool = True
    dooming: bool = True

    @property
    def speed(self) -> float:
        """How fast time passes for what is shown; somebody may have written anything into the file."""
        return PACES.get(self.pace, PACES[USUAL_PACE])

    @property
    def moves(self) -> bool:
        """Whether anything moves."""
        return bool(self.speed) and not self.still

    def reset(self) -> None:
        """As at first."""
        self.pace, self.others, self.still, self.ending, self.dooming = USUAL_PACE, True, False, True, True
