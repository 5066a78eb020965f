"""Draft of a move: one province, and parties with different targets."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.table.desk import Check
from shared.ids import NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.mechanics.armies import army_of, minus, take_by_kind, total
from shared.mechanics.marching import BEST_FIRST
from shared.refusal import Refusal
from shared.rulesets.cote2.actions import Move
from shared.rulesets.cote2.state import LEADERS, OFF, TableFields, leaders_at
from shared.rulesets.cote2.ways import landings, reach

_ONE: Final = 1


class Party(Struct, frozen=True):
    """Units and leaders with one target.

    `to`: NONE until it is chosen. `ordered`: units that would go, if there is room. `suggested`: whether the player
    left their number as it was suggested.
    """

    units: Army = NO_ARMY
    leaders: tuple[Leader, ...] = ()
    to: Space = NONE
    ordered: Army = NO_ARMY
    suggested: bool = True

    @property
    def size(self) -> int:
        """Number of units and leaders."""
        return total(self.units) + len(self.leaders)

    @property
    def empty(self) -> bool:
        """Whether the party has no units or leaders."""
        return not self.size


class MarchDraft(Struct, frozen=True):
    """Draft of a move. `sent`: parties with a target; `party`: the one that is being put together."""

    source: Space = NONE
    sent: tuple[Party, ...] = ()
    party: Party = Party()

    def order(self) -> Move:
        """Return all parties as an action."""
        parties = [party for party in (*self.sent, self.party) if party.to != NONE]
        armies = tuple([(party.to, *party.units) for party in parties if any(party.units)])
        return Move(self.source, armies, tuple([(x, party.to) for party in parties for x in party.leaders]))


def sources(table: TableFields, seat: Seat) -> list[Space]:
    """Return the provinces with a leader of `seat`, those with most of its units first."""
    own = table.leader_at[seat * LEADERS : (seat + 1) * LEADERS]
    return sorted({at for at in own if at != OFF}, key=lambda at: (-total(army_of(table.units[at], seat)), at))


def muster(table: TableFields, seat: Seat, source: Space) -> MarchDraft:
    """Return a march with all units and leaders of a province in its party."""
    return MarchDraft(source, (), remaining(table, seat, MarchDraft(source)))


def few(whole: Party) -> Party:
    """Return a party for a first game: a general with one or two units; some are left for other generals."""
    # The first of a seat's leaders is its Caesar.
    generals = [x for x in whole.leaders if x % LEADERS] or whole.leaders
    share = 2 if total(whole.units) >= 2 * len(generals) else 1
    units = take_by_kind(whole.units, share, BEST_FIRST[::-1])
    return replace(whole, units=units, leaders=tuple(generals[:1]), ordered=units)


def remaining(table: TableFields, seat: Seat, march: MarchDraft) -> Party:
    """Return the units and leaders that are in no sent party."""
    army = army_of(table.units[march.source], seat)
    for party in march.sent:
        army = minus(army, party.units)
    gone = {leader for party in march.sent for leader in party.leaders}
    return Party(army, tuple([x for x in leaders_at(table, seat, march.source) if x not in gone]), NONE, army)


def ends(table: TableFields, seat: Seat, march: MarchDraft, check: Check) -> list[Space]:
    """Return the spaces that at least a part of the party can reach."""
    if march.source == NONE or march.party.empty:
        return []
    found = reach(table, seat, march.source) | landings(table, seat, march.source)
    # A unit alone can go where a whole party cannot, if only few fit on the galleys.
    return sorted([to for to in found if any(check(trial.order()) is None for trial in _smallest_parties(march, to))])


def _smallest_parties(march: MarchDraft, to: Space) -> Iterator[MarchDraft]:
    """Yield the smallest parts of the party, each as a march to `to`."""
    party = march.party
    if any(party.units):
        yield replace(march, party=Party(take_by_kind(party.units, _ONE, BEST_FIRST), (), to))
    if party.leaders:
        yield replace(march, party=Party(NO_ARMY, party.leaders[:_ONE], to))


def aim(march: MarchDraft, to: Space, check: Check) -> MarchDraft | Refusal:
    """Return the march with its party aimed at `to`, or why it cannot go there.

    Over the sea it takes no more units than the galleys carry.
    """
    whole = march.party.ordered
    refusal = None
    # The rules know how many may go; the largest number that they allow is looked for.
    for size in range(total(whole), -1, -1):
        trial = replace(march, party=replace(march.party, units=take_by_kind(whole, size, BEST_FIRST), to=to))
        verdict = check(trial.order())
        if verdict is None:
            return trial
        # The refusal of the whole party is what the player should read.
        refusal = refusal or verdict
    assert refusal is not None
    return refusal


def split(table: TableFields, seat: Seat, march: MarchDraft) -> MarchDraft:
    """Send the party, and begin another one with the remaining units and leaders."""
    sent = replace(march, sent=(*march.sent, march.party), party=Party())
    return replace(sent, party=remaining(table, seat, sent))


def set_units(march: MarchDraft, arm: int, count: int, most: int) -> MarchDraft:
    """Set the number of units of an arm in the party, from 0 to `most`."""
    counts = list(march.party.units)
    counts[arm] = max(0, min(most, count))
    units = counts[0], counts[1], counts[2]
    return replace(march, party=replace(march.party, units=units, ordered=units, suggested=False))


def toggle(march: MarchDraft, leader: Leader) -> MarchDraft:
    """Let a leader join or leave the party."""
    leaders = march.party.leaders
    joined = (*leaders, leader) if leader not in leaders else tuple([x for x in leaders if x != leader])
    return replace(march, party=replace(march.party, leaders=tuple(sorted(joined)), suggested=False))
