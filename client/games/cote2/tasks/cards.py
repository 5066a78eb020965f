"""Cards: taking one of the row with whatever it asks for, and using those that one has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from client.games.conquest.draft import BEST_FIRST
from client.games.conquest.orders import Share
from client.games.conquest.position import leader_picture
from client.games.cote2.sheets.meaning import title
from client.games.cote2.tasks.base import (
    Decision,
    Deed,
    Drafted,
    Picking,
    Shelf,
    Way,
    kind_name,
    remark,
    spot,
    unit_picture,
)
from client.table.geography import Point, geography
from client.table.ground import Tint
from client.table.match import Desk
from client.table.task import FIGHT, GO, HERE, Hit, count_words
from client.table.tray import Choice
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.mechanics.cells import army_of
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain, Use
from shared.rulesets.cote2.cards import CAMPAIGN
from shared.rulesets.cote2.data import ASSASSIN, CARDS, DIPLOMACY, LASTING, MULTI_USE, NAMED, REVOLT, SENATOR
from shared.rulesets.cote2.effects import Taken, card_of, card_options, use_options
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.scoring import CITY_CALM
from shared.rulesets.cote2.state import GALLEYS, LEADERS, Table, leaders_at

if TYPE_CHECKING:
    from client.table.tray import Tray

Choose = Callable[[int], object]


W = TypeVar("W", Obtain, Campaign, Incite)


def ways_to_take(table: Table, frame: Turn, seat: Seat, card: int) -> list[Action]:
    """Every way in which a card of the row can be taken now, as the rules list them."""
    return [way for way in card_options(table, frame, seat) if isinstance(way, Taken) and card_of(way) == card]


def ways_to_use(table: Table, frame: Turn, seat: Seat, card: int) -> list[Use]:
    """Every way in which a card of one's own can be used now."""
    return [way for way in use_options(table, frame, seat) if isinstance(way, Use) and way.card == card]


def plainly(table: Table, seat: Seat, card: int) -> Action:
    """The card in the simplest way: what the rules say to it tells why it cannot be taken."""
    match CARDS[card].act:
        case "city":
            return Obtain(card, NAMED[card][0])
        case "barbarians":
            source = table.leader_at[seat * LEADERS]
            infantry, cavalry, catapults = _four(army_of(table.units[source], seat)).chosen
            return Campaign(card, source, infantry, cavalry, catapults)
        case "revolt":
            return Incite(NONE, ())
        case _:
            return Obtain(card)


def on_offer(card: int) -> str:
    """A card and its price: ``"Army Training · 10"``."""
    return f"{title(card)[1]} · {CARDS[card].cost or 'free'}"


class Browsing(Deed):
    """The row, or one's own cards, in the tray. `why_not`: why a card cannot be chosen; `words`: what it says there."""

    def __init__(
        self, desk: Desk, about: str, cards: Sequence[int], choose: Choose, why_not: Callable[[int], str],
        words: Callable[[int], str],
    ) -> None:  # fmt: skip
        super().__init__(desk)
        self._about = about
        self._cards = sorted(cards, key=lambda card: (bool(why_not(card)), CARDS[card].cost, card))
        self._choose = choose
        self._why_not = why_not
        self._words = words
        self._shelf = Shelf(self)

    def line(self) -> str:
        return self._about

    def build(self, tray: Tray) -> None:
        self._shelf.build(tray, [self._choice(card) for card in self._cards])

    def _choice(self, card: int) -> Choice:
        why = self._why_not(card)
        tip = f"{CARDS[card].text}\n{why}" if why else CARDS[card].text
        return Choice(self._words(card), partial(self._choose, card), "plain", tip, not why)

    def buttons(self) -> Sequence[Choice]:
        return ()


# --- taking ---

_CITY: Final = f"A city adds a die where you defend it, and takes {CITY_CALM} chaos off when the season ends."


def taking(desk: Desk, frame: Turn, card: int) -> Deed:
    """The deed by which a card of the row is taken."""
    decision = Decision(desk)
    table, seat = decision.table, desk.seat
    act = CARDS[card].act
    ways = ways_to_take(table, frame, seat, card)
    if act == "barbarians":
        return Campaigning(desk, card, sorted({way.source for way in _only(Campaign, ways)}))
    if act == "revolt":
        return Inciting(desk, sorted({way.space for way in _only(Incite, ways)}))
    found = [_way_to_take(desk, table, way) for way in _only(Obtain, ways)]
    about = {
        "city": "where is the city built?",
        "fleet": "click the galley that leads it.",
        "bribe": "whose senator do you bribe?",
    }.get(act, CARDS[card].text)
    return Picking(desk, f"Take for {CARDS[card].cost}" if CARDS[card].cost else "Take it", about, found)


def _only(kind: type[W], ways: Sequence[Action]) -> list[W]:
    return [way for way in ways if isinstance(way, kind)]


def _way_to_take(desk: Desk, table: Table, way: Obtain) -> Way:
    """A card with its target, as it is said and seen."""
    card = CARDS[way.card]
    match card.act:
        case "city":
            return Way(f"a city in {BOARD.names[way.target]}", way, way.target, tip=_CITY)
        case "fleet":
            zone = table.galley_at[way.target]
            words = f"from {BOARD.names[zone]}"
            return Way(words, way, zone, way.target // GALLEYS, tip=f"It comes to {BOARD.names[NAMED[way.card][0]]}.")
        case "bribe":
            number = sum(table.senators[way.target])
            tip = f"{desk.who(way.target)} holds {count_words(number, 'senator', 'senators')}."
            return Way(desk.who(way.target), way, seat=way.target, tip=tip)
        case "politician":
            space = table.leader_at[desk.seat * LEADERS]
            return Way(f"a token in {BOARD.names[space]}", way, space, tip=card.text)
        case _:
            return Way(_STAYS[card.kind], way, tip=card.text)


_STAYS: Final = {
    MULTI_USE: "yours, to be used once a season",
    SENATOR: "comes into your hand",
    DIPLOMACY: "yours for this season",
    LASTING: "yours for good",
}
"""What becomes of a card that one takes, by its kind."""


def _four(army: Army) -> Share:
    share = Share(army, CAMPAIGN)
    share.suggest(BEST_FIRST[::-1])
    return share


class Expedition(Struct, frozen=True):
    """Fields as in `Campaign`."""

    source: Space = NONE
    army: Army = NO_ARMY
    leaders: tuple[Leader, ...] = ()


class Campaigning(Drafted[Expedition]):
    """Four units of one army against the Barbarians."""

    verb = "March"

    def __init__(self, desk: Desk, card: int, sources: Sequence[Space]) -> None:
        super().__init__(desk, Expedition())
        self._card = card
        self._sources = sources
        if len(sources) == 1:
            self.begin(self._from(sources[0]))

    @property
    def _to(self) -> Space:
        return NAMED[self._card][0]

    def _from(self, source: Space) -> Expedition:
        """The cheapest four, and a leader where another one stays behind."""
        army = army_of(self.table.units[source], self.desk.seat)
        leaders = leaders_at(self.table, self.desk.seat, source)
        return Expedition(source, _four(army).chosen, leaders[1:2])

    def line(self) -> str:
        draft = self.draft
        if draft.source == NONE:
            return f"click where {CAMPAIGN} units march from."
        return f"{count_words(total(draft.army), 'unit', 'units')} from {BOARD.names[draft.source]}."

    def build(self, tray: Tray) -> None:
        draft, seat = self.draft, self.desk.seat
        if draft.source == NONE:
            tray.note(CARDS[self._card].text)
            return
        whole = army_of(self.table.units[draft.source], seat)
        for leader in leaders_at(self.table, seat, draft.source):
            tray.figure(
                leader_picture(self.desk.table, leader, seat),
                "goes" if leader in draft.leaders else "stays",
                leader in draft.leaders,
                partial(self._toggle, leader),
                tip="Leaders may go with them; they do not count among the four.",
            )
        tray.gap()
        for arm in range(3):
            if whole[arm]:
                tray.stepper(
                    unit_picture(arm, seat),
                    draft.army[arm],
                    f"of {whole[arm]}",
                    partial(self._add, arm),
                    more=draft.army[arm] < whole[arm],
                    tip=f"{kind_name(arm)} that march. Exactly {CAMPAIGN} units go.",
                )
        remark(tray, CARDS[self._card].text)

    def _toggle(self, leader: Leader) -> None:
        leaders = self.draft.leaders
        joined = (*leaders, leader) if leader not in leaders else tuple([x for x in leaders if x != leader])
        self.put(replace(self.draft, leaders=tuple(sorted(joined))))

    def _add(self, arm: int, by: int) -> None:
        share = Share(army_of(self.table.units[self.draft.source], self.desk.seat), CAMPAIGN, self.draft.army)
        if by > 0:
            share.add(arm)
        else:
            share.remove(arm)
        self.put(replace(self.draft, army=share.chosen))

    def lit(self) -> Mapping[Space, Tint]:
        draft = self.draft
        lit = {space: HERE if space == draft.source else GO for space in self._sources}
        return {**lit, self._to: FIGHT if self.table.units[self._to] else GO} if draft.source != NONE else lit

    def arrow(self) -> Sequence[Point]:
        heart = geography().heart
        return [heart(self.draft.source), heart(self._to)] if self.draft.source != NONE else ()

    def click(self, hit: Hit) -> bool:
        space = spot(hit)
        if space == self._to and self.draft.source != NONE:
            return self.confirm()
        if space in self._sources:
            return self.put(self._from(space))
        return 0 <= space < BOARD.provinces and self.explain(Campaign(self._card, space, CAMPAIGN, 0, 0))

    def action(self) -> Action | None:
        draft = self.draft
        return Campaign(self._card, draft.source, *draft.army, draft.leaders) if draft.source != NONE else None

    def next(self) -> bool:
        at = self._sources.index(self.draft.source) + 1 if self.draft.source in self._sources else 0
        return self.put(self._from(self._sources[at % len(self._sources)]))


class Inciting(Drafted[Incite]):
    """Where the slaves rise, and against whom first."""

    verb = "Let them rise"

    def __init__(self, desk: Desk, spaces: Sequence[Space]) -> None:
        super().__init__(desk, Incite(NONE, ()))
        self._spaces = spaces

    def line(self) -> str:
        draft = self.draft
        if draft.space == NONE:
            return "click a province with units: there the slaves rise."
        armies = [self.desk.who(seat) for seat in draft.victims] + ["you"] * self._own
        whom = f"first {armies[0]}, {armies[-1]} last" if len(armies) > 1 else f"against {armies[0]}"
        return f"{BOARD.names[draft.space]}: {whom}."

    @property
    def _own(self) -> bool:
        return self.desk.seat in self.table.units[self.draft.space][::4]

    def build(self, tray: Tray) -> None:
        draft = self.draft
        if draft.space == NONE:
            tray.note(CARDS[REVOLT].text)
            return
        for place, seat in enumerate(draft.victims):
            tray.figure(
                f"marker_{seat}",
                f"{place + 1}. {self.desk.who(seat)}",
                place == 0,
                partial(self._first, seat),
                width=92,
                tip="Click to have this army attacked first.",
            )
        remark(tray, CARDS[REVOLT].text)

    def _first(self, seat: Seat) -> None:
        draft = self.draft
        self.put(replace(draft, victims=(seat, *[other for other in draft.victims if other != seat])))

    def lit(self) -> Mapping[Space, Tint]:
        return {space: HERE if space == self.draft.space else FIGHT for space in self._spaces}

    def click(self, hit: Hit) -> bool:
        space = spot(hit)
        if space == self.draft.space != NONE:
            return self.confirm()
        return space in self._spaces and self._at(space)

    def _at(self, space: Space) -> bool:
        others = [seat for seat in self.table.units[space][::4] if seat != self.desk.seat]
        return self.put(Incite(space, tuple(others)))

    def action(self) -> Action | None:
        return self.draft if self.draft.space != NONE else None

    def next(self) -> bool:
        at = self._spaces.index(self.draft.space) + 1 if self.draft.space in self._spaces else 0
        self.desk.look_at([self._spaces[at % len(self._spaces)]])
        return self._at(self._spaces[at % len(self._spaces)])


# --- using ---


def using(desk: Desk, frame: Turn, card: int) -> Deed:
    """The deed by which a card of one's own is used."""
    table = Decision(desk).table
    found = ways_to_use(table, frame, desk.seat, card)
    if card != ASSASSIN:
        text = CARDS[card].text
        return Picking(desk, "Use it", text, [Way("costs no action", way, tip=text) for way in found])
    ways = {_victim(desk, table, way): way for way in found}
    about = "click a general, or choose whose senator dies."
    return Picking(desk, "Send him", about, [replace(victim, action=way) for victim, way in ways.items()])


_NOBODY: Final = Use(ASSASSIN)


def _victim(desk: Desk, table: Table, way: Use) -> Way:
    """A victim in words; generals of one colour in one province are one and the same."""
    if way.leader == NONE:
        tip = "One of those that this player holds, drawn blindly, is out of the game."
        return Way(f"{desk.who(way.seat)}: a senator", _NOBODY, seat=way.seat, tip=tip)
    owner, space = way.leader // LEADERS, table.leader_at[way.leader]
    where = BOARD.names[space]
    tip = f"A general of {desk.who(owner)} in {where}. He goes back to the supply, and may be recruited again."
    return Way(f"{desk.who(owner)}, {where}", _NOBODY, space, owner, FIGHT, tip)
