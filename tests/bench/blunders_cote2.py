"""Blunders of the second game that people laugh at, for `tests.bench.blunders`."""

from collections import Counter
from typing import Final

from shared.ids import Leader, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.vote import weight
from shared.odds import cote2 as odds
from shared.odds.outcome import ATTACKER
from shared.rulesets.cote2.actions import Attack, Campaign, Influence, Move, Obtain, Recruit, Show, Use
from shared.rulesets.cote2.data import CARDS, NAMED
from shared.rulesets.cote2.effects import VOTES
from shared.rulesets.cote2.frames import Vote
from shared.rulesets.cote2.property import army_supply, galley_supply, influence_supply
from shared.rulesets.cote2.state import GALLEYS, State

HOPELESS: Final = 0.2
"""The chance below which an attack needs a reason."""
FEW: Final = 0.5
"""Votes, against the strongest other hand, with which one calls for others to win."""

_MERCHANT, _TROOPS, _SAILORS = "merchant", "troops", ("pirates", "navy", "wind")


class Cote2Watch:
    """The list of Conquest II.

    against_odds: an attack with less than one chance in five. back_and_forth: leaders march, do nothing there, and next
    march back. card_without_use: a merchant where one has no influence, troops for a province without units of one's
    own, cards of the sea without galleys. called_for_others: a vote is called with less than half of the votes of
    another hand. voted_for_nothing: senators are shown for what one cannot have.
    """

    NAMES = "against_odds", "back_and_forth", "card_without_use", "called_for_others", "voted_for_nothing"

    def __init__(self) -> None:
        self.made: Counter[str] = Counter(dict.fromkeys(self.NAMES, 0))
        self._came: dict[Leader, tuple[Space, Space]] = {}

    def acts(self, state: State, seat: Seat, action: Action) -> None:
        """Counts what it is, before it is done."""
        match action:
            case Attack(space, enemy):
                self.made["against_odds"] += against_odds(state, seat, space, enemy)
            case Move():
                self._move(action)
            case Obtain(card):
                self.made["card_without_use"] += useless(state, seat, card)
            case Use(card):
                self.made["called_for_others"] += card in VOTES and outvoted(state, seat)
            case Show():
                self.made["voted_for_nothing"] += for_nothing(state, seat)
        self._forget(_busy_in(action))

    def _move(self, move: Move) -> None:
        """A march with units is none to be laughed at: they may have been brought there."""
        back = {self._came.get(leader) == (to, move.source) for leader, to in move.leaders}
        self.made["back_and_forth"] += True in back and not any(army[0] != move.source for army in move.armies)
        self._came.update({leader: (move.source, to) for leader, to in move.leaders})

    def _forget(self, busy: set[Space]) -> None:
        """Leaders where something was done have not come for nothing."""
        self._came = {leader: way for leader, way in self._came.items() if way[1] not in busy}


def _busy_in(action: Action) -> set[Space]:
    """The provinces in which an action of a turn, other than a march, does something."""
    match action:
        case Attack(space) | Influence(space):
            return {space}
        case Campaign(_card, source):
            return {source}
        case Recruit(armies):
            return {group[0] for group in armies}
    return set()


def against_odds(state: State, seat: Seat, space: Space, enemy: Seat) -> bool:
    """Whether that battle is hopeless, with all that both have there themselves."""
    ours, theirs = odds.present(state, seat, space), odds.present(state, enemy, space)
    return odds.odds(ours, theirs, False).wins(ATTACKER) < HOPELESS


def useless(state: State, seat: Seat, card: int) -> bool:
    """Whether a card that is paid for can do nothing as things stand."""
    act = CARDS[card].act
    if act == _MERCHANT:
        return not state.influence[NAMED[card][0]][seat]
    if act == _TROOPS:
        return seat not in state.units[NAMED[card][0]][::4]
    return act in _SAILORS and len(galley_supply(state, seat)) == GALLEYS


def outvoted(state: State, seat: Seat) -> bool:
    """Whether another hand has more than twice the votes."""
    hands = [weight(hand) for hand in state.senators]
    return hands[seat] < FEW * max([votes for other, votes in enumerate(hands) if other != seat])


def for_nothing(state: State, seat: Seat) -> bool:
    """Whether the vote that is taken can bring this seat nothing."""
    frame = state.frames[-1]
    if not isinstance(frame, Vote):
        return False
    match CARDS[frame.card].act:
        case "bread_and_circuses":
            return not state.chaos[seat]
        case "new_legions":
            return not army_supply(state, seat)[0]
        case "influence_in_rome":
            return not influence_supply(state, seat)
    return False
