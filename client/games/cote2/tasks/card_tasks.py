"""Card actions: taking a card of the row with its target, and using own cards (see `card_presentation`)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from client.games.cote2.card_kinds import KINDS
from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.task_base import (
    Decision,
    Deed,
    DraftedDeed,
    FormDeed,
    OfferedAction,
    Picking,
    Shelf,
    kind_name,
    remark,
    spot,
    unit_picture,
)
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.form_task import Cell, Look
from client.table.geography import Point, geography
from client.table.ground import Tint
from client.table.pieces import leader_picture
from client.table.task import FIGHT, GO, HERE, Hit
from shared.actions.description import FieldKind
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import army_of, take_by_kind
from shared.mechanics.marching import BEST_FIRST
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain, Use
from shared.rulesets.cote2.data import CARDS, NAMED, REVOLT
from shared.rulesets.cote2.effects import ways_to_obtain, ways_to_use
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.options import campaign_units, city_calm, slaves_rise_anywhere
from shared.rulesets.cote2.state import GALLEYS, LEADERS, TableFields, leaders_at

Choose = Callable[[int], object]
Deeds = Callable[[Desk, Turn, int], Deed]
"""Functions that start a deed with a card."""


class Browsing(Deed):
    """The row, or the own cards, in the action bar.

    `why_not`: why a card cannot be chosen; `words`: the text of its button.
    """

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

    def build(self, action_bar: ActionBar) -> None:
        self._shelf.build(action_bar, [self._choice(card) for card in self._cards])

    def _choice(self, card: int) -> BarButton:
        why = self._why_not(card)
        tip = f"{_(CARDS[card].text)}\n{why}" if why else _(CARDS[card].text)
        return BarButton(self._words(card), partial(self._choose, card), "plain", tip, not why)

    def buttons(self) -> Sequence[BarButton]:
        return ()


# --- taking a card with at most one target ---


def picked(worded: Callable[[Desk, TableFields, Obtain], OfferedAction], about: str = "") -> Deeds:
    """Return a function that makes the deed of taking a card with one of its targets, or without one.

    `about`: the question, if it is not the card's own text.
    """

    def deed(desk: Desk, frame: Turn, card: int) -> Deed:
        table, cost = Decision(desk).table, CARDS[card].cost
        ways = [way for way in ways_to_obtain(table, frame, desk.seat, card) if isinstance(way, Obtain)]
        found = [worded(desk, table, way) for way in ways]
        return Picking(
            desk, _("Take for {cost}", cost=cost) if cost else _("Take it"), about or _(CARDS[card].text), found
        )

    return deed


def kept(_desk: Desk, _table: TableFields, way: Obtain) -> OfferedAction:
    """Return the way to take a card that has no effect yet."""
    return OfferedAction(KINDS.of(way.card).becomes, way, tip=_(CARDS[way.card].text))


def city(_desk: Desk, table: TableFields, way: Obtain) -> OfferedAction:
    """Return the way to take a card with a site of a city."""
    tip = _(
        "A city adds a die where you defend it, and takes {city_calm} chaos off when the season ends.",
        city_calm=city_calm(table),
    )
    return OfferedAction(_("a city in {target}", target=BOARD.names[way.target]), way, way.target, tip=tip)


def flagship(_desk: Desk, table: TableFields, way: Obtain) -> OfferedAction:
    """Return the way to take a card with the galley that leads a fleet."""
    zone = table.galley_at[way.target]
    tip = _("It comes to {named}.", named=BOARD.names[NAMED[way.card][0]])
    return OfferedAction(_("from {zone}", zone=BOARD.names[zone]), way, zone, way.target // GALLEYS, tip=tip)


def bribed(desk: Desk, table: TableFields, way: Obtain) -> OfferedAction:
    """Return the way to take a card with the player whose senator changes sides."""
    held = ngettext("{n} senator", "{n} senators", sum(table.senators[way.target]))
    return OfferedAction(
        desk.who(way.target), way, seat=way.target, tip=_("{who} holds {held}.", who=desk.who(way.target), held=held)
    )


def token(desk: Desk, table: TableFields, way: Obtain) -> OfferedAction:
    """Return the way to take a politician, whose token goes to the Caesar's province."""
    space = table.leader_at[desk.seat * LEADERS]
    return OfferedAction(_("a token in {place}", place=BOARD.names[space]), way, space, tip=_(CARDS[way.card].text))


def untargeted(_table: TableFields, _seat: Seat, card: int) -> Action:
    """Return the action for a card without a target."""
    return Obtain(card)


def first_site(_table: TableFields, _seat: Seat, card: int) -> Action:
    """Return the action for a city in the first province that the card names."""
    return Obtain(card, NAMED[card][0])


# --- the Barbarians ---


def campaigning(desk: Desk, frame: Turn, card: int) -> Deed:
    """Return the deed of a campaign against the Barbarians."""
    ways = ways_to_obtain(Decision(desk).table, frame, desk.seat, card)
    return Campaigning(desk, card, sorted({way.source for way in ways if isinstance(way, Campaign)}))


def cheapest_march(table: TableFields, seat: Seat, card: int) -> Action:
    """Return the cheapest campaign from the Caesar's province."""
    source = table.leader_at[seat * LEADERS]
    return Campaign(card, source, *_cheapest_party(table, army_of(table.units[source], seat)))


def _cheapest_party(table: TableFields, army: Army) -> Army:
    """Return the cheapest units that make up a campaign."""
    return take_by_kind(army, campaign_units(table), BEST_FIRST[::-1])


_ARMS: Final = ("infantry", "cavalry", "catapults")


class Campaigning(FormDeed[Campaign]):
    """Choice of four units of one army against the Barbarians."""

    verb = _("March")

    def __init__(self, desk: Desk, card: int, sources: Sequence[Space]) -> None:
        self.whole = campaign_units(desk.table)
        self._card = card
        self._sources = sources
        super().__init__(desk, Campaign, first=Campaign(card, NONE, *NO_ARMY))
        if len(sources) == 1:
            self.begin(self.form, self._from(sources[0]))

    @property
    def _to(self) -> Space:
        return NAMED[self._card][0]

    def _from(self, source: Space) -> Campaign:
        """Return the cheapest four units, and a leader if another one stays behind."""
        army = army_of(self.table.units[source], self.desk.seat)
        leaders = leaders_at(self.table, self.desk.seat, source)
        return Campaign(self._card, source, *_cheapest_party(self.table, army), leaders[1:2])

    def weighs(self, cell: Cell) -> bool:
        return cell.field.kind is FieldKind.NUMBER

    def most(self, cell: Cell) -> int:
        return self._army[_ARMS.index(cell.field.name)] if self.weighs(cell) else cell.high

    @property
    def _army(self) -> Army:
        return army_of(self.table.units[self.draft.source], self.desk.seat)

    def line(self) -> str:
        draft = self.draft
        if draft.source == NONE:
            return _("click where {campaign} units march from.", campaign=campaign_units(self.table))
        return _(
            "{count} from {source}.",
            count=ngettext("{n} unit", "{n} units", self._weight(draft)),
            source=BOARD.names[draft.source],
        )

    def look(self, cell: Cell) -> Look:
        seat = self.desk.seat
        if not self.weighs(cell):
            picture = leader_picture(self.table, cell.options[0], seat)
            tip = _("Leaders may go with them; they do not count among the four.")
            return Look(picture, _("goes") if self.count(cell) else _("stays"), tip)
        arm = _ARMS.index(cell.field.name)
        tip = _(
            "{kind_name} that march. Exactly {campaign} units go.",
            kind_name=kind_name(arm),
            campaign=campaign_units(self.table),
        )
        return Look(unit_picture(arm, seat), _("of {whole}", whole=self._army[arm]), tip)

    def build(self, action_bar: ActionBar) -> None:
        text = _(CARDS[self._card].text)
        if self.draft.source == NONE:
            action_bar.note(text)
            return
        for cell in self.cells:
            if cell.field.name == "leaders" and cell.place == self.draft.source:
                self.show(action_bar, cell, self.look(cell), 58)
        action_bar.gap()
        for cell in self.cells:
            if self.weighs(cell) and self.most(cell):
                self.show(action_bar, cell, self.look(cell), 84)
        remark(action_bar, text)

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
        return 0 <= space < BOARD.provinces and self.explain(
            Campaign(self._card, space, campaign_units(self.table), 0, 0)
        )

    def next(self) -> bool:
        at = self._sources.index(self.draft.source) + 1 if self.draft.source in self._sources else 0
        return self.put(self._from(self._sources[at % len(self._sources)]))


# --- slaves ---


def inciting(desk: Desk, frame: Turn, card: int) -> Deed:
    """Return the deed of a slave revolt."""
    ways = ways_to_obtain(Decision(desk).table, frame, desk.seat, card)
    return Inciting(desk, sorted({way.space for way in ways if isinstance(way, Incite)}))


def nowhere(_table: TableFields, _seat: Seat, _card: int) -> Action:
    """Return the action for a revolt in no province."""
    return Incite(NONE, ())


class Inciting(DraftedDeed[Incite]):
    """Choice of the province of a slave revolt, and of the player it hits first."""

    verb = _("Let them rise")

    def __init__(self, desk: Desk, spaces: Sequence[Space]) -> None:
        super().__init__(desk, Incite(NONE, ()))
        self._spaces = spaces

    def line(self) -> str:
        draft = self.draft
        if draft.space == NONE:
            if slaves_rise_anywhere(self.table):
                return _("click a province: there the slaves rise.")
            return _("click a province with units: there the slaves rise.")
        armies = [self.desk.who(seat) for seat in draft.victims] + ["you"] * self._own
        if len(armies) > 1:
            whom = _("first {armies}, {armies2} last", armies=armies[0], armies2=armies[-1])
        else:
            whom = _("against {armies}", armies=armies[0]) if armies else _("no army is there")
        return f"{BOARD.names[draft.space]}: {whom}."

    @property
    def _own(self) -> bool:
        return self.desk.seat in self.table.units[self.draft.space][::4]

    def build(self, action_bar: ActionBar) -> None:
        draft = self.draft
        if draft.space == NONE:
            action_bar.note(_(CARDS[REVOLT].text))
            return
        for place, seat in enumerate(draft.victims):
            action_bar.figure(
                f"marker_{seat}",
                f"{place + 1}. {self.desk.who(seat)}",
                place == 0,
                partial(self._first, seat),
                width=92,
                tip=_("Click to have this army attacked first."),
            )
        remark(action_bar, _(CARDS[REVOLT].text))

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


# --- using a card ---


def used_untargeted(desk: Desk, _frame: Turn, card: int) -> Deed:
    """Return the deed of using a card that needs no target."""
    text = _(CARDS[card].text)
    ways = ways_to_use(Decision(desk).table, desk.seat, card)
    return Picking(desk, _("Use it"), text, [OfferedAction(_("costs no action"), way, tip=text) for way in ways])


def sending(desk: Desk, _frame: Turn, card: int) -> Deed:
    """Return the deed of sending an assassin. Generals of one colour in one province count as the same victim."""
    table = Decision(desk).table
    victims = [_victim(desk, table, way) for way in ways_to_use(table, desk.seat, card)]
    ways = {(victim.seat, victim.space): victim for victim in victims}
    return Picking(desk, _("Send him"), _("click a general, or choose whose senator dies."), list(ways.values()))


def _victim(desk: Desk, table: TableFields, way: Use) -> OfferedAction:
    """Return a victim as a way, in words."""
    if way.leader == NONE:
        tip = _("One of those that this player holds, drawn blindly, is out of the game.")
        return OfferedAction(f"{desk.who(way.seat)}: a senator", way, seat=way.seat, tip=tip)
    owner, space = way.leader // LEADERS, table.leader_at[way.leader]
    where = BOARD.names[space]
    tip = _(
        "A general of {who} in {where}. He goes back to the supply, and may be recruited again.",
        who=desk.who(owner),
        where=where,
    )
    return OfferedAction(f"{desk.who(owner)}, {where}", way, space, owner, FIGHT, tip)
