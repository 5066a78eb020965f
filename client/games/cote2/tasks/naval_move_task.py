"""Movement of galleys, and perhaps a battle after it."""

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.task_base import DraftedDeed, Shelf, remark, sea_name, spot, unit_picture
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Check
from client.table.geography import Point, geography
from client.table.ground import Tint
from client.table.pieces import Pick
from client.table.task import FIGHT, GO, HERE, Hit, chosen_kind
from shared.board import BOARD
from shared.ids import GALLEY, NONE, Seat, Space
from shared.kernel.frames import Action
from shared.odds.attack import Threat
from shared.odds.cote2 import threat
from shared.rulesets.cote2.actions import Sail
from shared.rulesets.cote2.state import GALLEYS, OFF, TableFields, allied, galleys_at
from shared.rulesets.cote2.ways import fleets


class VoyageDraft(Struct, frozen=True):
    """Draft with the fields of `Sail`. Galleys of `galleys` that are at `to` already stay there."""

    galleys: tuple[int, ...] = ()
    to: Space = NONE
    zone: Space = NONE
    enemy: Seat = NONE

    def order(self, table: TableFields) -> Sail:
        """Return the move as an action."""
        sailing = tuple([g for g in self.galleys if table.galley_at[g] != self.to]) if self.to != NONE else ()
        return Sail(self.to if sailing else NONE, sailing, self.zone, self.enemy)


def choose(table: TableFields, seat: Seat, voyage: VoyageDraft, zone: Space, count: int) -> VoyageDraft:
    """Choose `count` galleys of a zone, beside those of other zones.

    The target stays; the battle must be chosen again.
    """
    here = galleys_at(table, seat, zone)
    others = [g for g in voyage.galleys if g not in here]
    return replace(voyage, galleys=tuple(sorted([*others, *here[: max(0, count)]])), zone=NONE, enemy=NONE)


def fights(table: TableFields, seat: Seat, voyage: VoyageDraft, check: Check) -> list[tuple[Space, Seat]]:
    """Return (zone, enemy) pairs that could be attacked after the voyage, those at its end first."""
    found = {(at, g // GALLEYS) for g, at in enumerate(table.galley_at) if at != OFF}
    foes = sorted([(zone, enemy) for zone, enemy in found if not allied(table, seat, enemy)])
    legal = [(z, e) for z, e in foes if check(replace(voyage, zone=z, enemy=e).order(table)) is None]
    return sorted(legal, key=lambda fight: fight[0] != voyage.to)


Fight = tuple[Space, Seat]
"""A zone and an enemy."""


class Sailing(DraftedDeed[VoyageDraft]):
    """Movement of galleys."""

    verb = _("Sail")

    def __init__(self, desk: Desk, zone: Space = NONE) -> None:
        super().__init__(desk, VoyageDraft())
        self._shelf = Shelf(self)
        here = self._fleets()
        if zone == NONE and len(here) == 1:
            zone = next(iter(here))
        if zone != NONE:
            self.begin(self._all_of(zone))

    def _fleets(self) -> dict[Space, int]:
        return fleets(self.table, self.desk.seat)

    def _all_of(self, zone: Space) -> VoyageDraft:
        return choose(self.table, self.desk.seat, self.draft, zone, GALLEYS)

    def _fights(self) -> list[Fight]:
        return fights(self.table, self.desk.seat, self.draft, self.desk.check)

    def _chosen(self, zone: Space) -> int:
        return len([g for g in self.draft.galleys if self.table.galley_at[g] == zone])

    # Display

    def line(self) -> str:
        draft = self.draft
        where = _("there") if draft.zone == draft.to else _("on {sea_name}", sea_name=sea_name(draft.zone))
        battle = _("attack {who} {where}", who=self.desk.who(draft.enemy), where=where) if draft.enemy != NONE else ""
        sailing = draft.order(self.table).galleys
        if not sailing:
            if battle:
                return _("Your galleys {battle}.", battle=battle)
            return _("Click your galleys, then any sea zone; they sail as far as you like.")
        force = ngettext("{n} galley", "{n} galleys", len(sailing))
        return _(
            "{force} to {to}{what}.",
            force=force,
            to=BOARD.names[draft.to],
            what=_("; then ") + battle if battle else "",
        )

    def build(self, action_bar: ActionBar) -> None:
        here = self._fleets()
        battles = self._fights()
        width = action_bar.room_for(len(here) + (3 if battles else 0), 92)
        for zone, number in here.items():
            chosen = self._chosen(zone)
            action_bar.stepper(
                unit_picture(GALLEY, self.desk.seat),
                chosen,
                sea_name(zone),
                partial(self._add, zone),
                more=chosen < number,
                left=number - chosen,
                width=width,
                tip=f"{BOARD.names[zone]}: {_('galleys that sail.')}",
            )
        if battles:
            action_bar.gap()
            choices = [
                BarButton(_("No battle"), self._drop_attack, chosen_kind(self.draft.enemy == NONE), _("Only sail"))
            ]
            choices += [self._choice(fight) for fight in battles]
            self._shelf.build(action_bar, choices)
        remark(action_bar, _("Wherever your galleys lie, your armies can land next to them."))

    def _choice(self, fight: Fight) -> BarButton:
        zone, enemy = fight
        who = self.desk.who(enemy)
        words = (
            _("Attack {who}", who=who)
            if zone == self.draft.to
            else _("{who} on {sea_name}", who=who, sea_name=sea_name(zone))
        )
        kind = chosen_kind(fight == (self.draft.zone, self.draft.enemy))
        tip = _("A naval battle on {zone}, in the same action", zone=BOARD.names[zone])
        return BarButton(words, lambda: self._attack(fight), kind, tip)

    def threat(self) -> Threat | None:
        """Return the battle after the move, or None."""
        return threat(self.table, self.desk.seat, self.draft.order(self.table))

    def lit(self) -> Mapping[Space, Tint]:
        draft, table = self.draft, self.table
        if not draft.galleys:
            still = {zone: FIGHT for zone, _ in self._fights()}
            return {**dict.fromkeys(self._fleets(), GO), **still}
        foes = [g for g in range(len(table.galley_at)) if not allied(table, g // GALLEYS, self.desk.seat)]
        enemy = {table.galley_at[g] for g in foes}
        zones = range(BOARD.provinces, BOARD.spaces)
        # Not where all of them lie already.
        lit = {zone: FIGHT if zone in enemy else GO for zone in zones if self._chosen(zone) < len(draft.galleys)}
        if draft.to != NONE:
            lit[draft.to] = HERE
        return lit

    def glow(self) -> frozenset[Pick]:
        draft, table, seat = self.draft, self.table, self.desk.seat
        shown = draft.galleys or tuple([g for zone in self._fleets() for g in galleys_at(table, seat, zone)])
        return frozenset(Pick("galley", table.galley_at[g], seat, g) for g in shown)

    def arrow(self) -> Sequence[Point]:
        sailing = self.draft.order(self.table).galleys
        if not sailing:
            return ()
        place = geography().place
        return [place(self.table.galley_at[sailing[0]]), place(self.draft.to)]

    # Actions

    def click(self, hit: Hit) -> bool:
        draft, zone = self.draft, spot(hit)
        if zone < BOARD.provinces:
            return False
        enemy = hit.pick.seat if hit.pick is not None and hit.pick.kind == "galley" else NONE
        if draft.galleys and zone == draft.to and enemy in (NONE, draft.enemy, self.desk.seat):
            return self.confirm()
        if not draft.galleys and zone in self._fleets() and (enemy in (NONE, self.desk.seat)):
            return self.put(self._all_of(zone))
        aimed = VoyageDraft(draft.galleys, zone if draft.galleys else NONE)
        if not aimed.order(self.table).galleys and enemy == NONE:
            return draft.galleys != ()
        if enemy not in (NONE, self.desk.seat) and (zone, enemy) in fights(
            self.table, self.desk.seat, aimed, self.desk.check
        ):
            aimed = VoyageDraft(aimed.galleys, aimed.to, zone, enemy)
        return self.put(aimed)

    def _add(self, zone: Space, by: int) -> None:
        self.put(choose(self.table, self.desk.seat, self.draft, zone, self._chosen(zone) + by))

    def _drop_attack(self) -> bool:
        return self.put(VoyageDraft(self.draft.galleys, self.draft.to))

    def _attack(self, fight: Fight) -> bool:
        if fight == (self.draft.zone, self.draft.enemy):
            return self.confirm()
        return self.put(VoyageDraft(self.draft.galleys, self.draft.to, *fight))

    def action(self) -> Action | None:
        order = self.draft.order(self.table)
        return order if order.galleys or order.enemy != NONE else None

    def buttons(self) -> Sequence[BarButton]:
        fighting = self.draft.enemy != NONE
        words = _("Attack!") if fighting else self.verb
        return (BarButton(words, self.confirm, "primary", told(Command.CONFIRM), self.action() is not None),)

    def next(self) -> bool:
        found = list(self._fleets())
        if not found:
            return False
        here = {self.table.galley_at[g] for g in self.draft.galleys}
        at = next((k for k, zone in enumerate(found) if zone in here), NONE)
        zone = found[(at + 1) % len(found)]
        self.desk.look_at([zone])
        return self.put(choose(self.table, self.desk.seat, VoyageDraft(), zone, GALLEYS))
