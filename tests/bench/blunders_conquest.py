"""Blunders that people laugh at in both games of conquest, for `tests.bench.blunders`."""

from abc import ABC, abstractmethod
from collections import Counter
from typing import Any, Final

from shared.ids import NONE, Leader, Seat, Space
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import March as ClassicMarch
from shared.rulesets.mb1984.actions import March as Mb1984March
from shared.vocabulary.actions import Answer, Fight, Offer
from shared.vocabulary.frames import Movement

EVEN, SAFE, HOPELESS = 0.5, 0.2, 0.2
"""EVEN: chance of capture that endangers a Caesar. SAFE: chance with which it is safe. HOPELESS: an attack below this
chance needs a reason."""
ARMY: Final = 5
"""Units that are an army, which has no business to walk back and forth."""


class ConquestWatch(ABC):
    """Observer that counts five kinds of blunders.

    caesar_left: at the end of a turn another player could take the Caesar with better than even odds. A place that
    is safe, or nearly so, was one step away. home_left: the same of the home, which was safe when the turn began.
    back_and_forth: an army marches, and next turn back, with no enemy to flee from. against_odds: an attack with less
    than one chance in five, but for a war of attrition. refused_again: the very same bargain is offered to a player
    who has refused it."""

    NAMES = "caesar_left", "home_left", "back_and_forth", "against_odds", "refused_again"

    def __init__(self) -> None:
        self.made: Counter[str] = Counter(dict.fromkeys(self.NAMES, 0))
        self._marched: dict[Leader, tuple[int, Space, Space]] = {}
        self._refused: set[tuple[Seat, Offer]] = set()
        self._offer: tuple[Seat, Offer] | None = None
        self._mover: int = NONE
        self._was_safe = False

    def acts(self, state: Any, seat: Seat, action: Action) -> None:
        """Counts what it is, before it is done."""
        if isinstance(state.frames[-1], Movement) and seat != self._mover:
            if self._mover != NONE:
                self.made["caesar_left"] += self.caesar_left(state, self._mover)
                self.made["home_left"] += self._was_safe and self.home_risk(state, self._mover, False) > EVEN
            self._mover, self._was_safe = seat, self.home_risk(state, seat, True) <= SAFE
        match action:
            case ClassicMarch() | Mb1984March():
                self._march(state, seat, action)
            case Fight(space, enemy) if space < len(state.units):
                self.made["against_odds"] += self.against_odds(state, seat, space, enemy)
            case Offer():
                self.made["refused_again"] += (seat, action) in self._refused
                self._offer = seat, action
            case Answer(accept) if not accept and self._offer is not None:
                self._refused.add(self._offer)

    @abstractmethod
    def caesar_left(self, state: Any, seat: Seat) -> bool:
        """Whether the Caesar is where the next player can take it, with a safe place one step away."""

    @abstractmethod
    def home_risk(self, state: Any, seat: Seat, buying: bool) -> float:
        """Return the chance that another player takes the home next turn; 1 if it is lost. buying: after purchases."""

    @abstractmethod
    def against_odds(self, state: Any, seat: Seat, space: Space, enemy: Seat) -> bool:
        """Whether that battle is hopeless and no war of attrition."""

    @abstractmethod
    def pursued(self, state: Any, seat: Seat, space: Space) -> bool:
        """Whether an army there has an enemy to flee from."""

    def _march(self, state: Any, seat: Seat, march: ClassicMarch | Mb1984March) -> None:
        """Record the way of each leader with an army, and count a march straight back."""
        if march.infantry + march.cavalry + march.catapults < ARMY:
            return
        before = {self._marched.get(leader) for leader in march.leaders}
        if (state.round - 1, march.to, march.source) in before and not self.pursued(state, seat, march.source):
            self.made["back_and_forth"] += 1
        self._marched.update(dict.fromkeys(march.leaders, (state.round, march.source, march.to)))
