"""Decisions of a battle: helpers, losses, and retreats."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.task_base import (
    Deed,
    DraftedDeed,
    OfferedAction,
    Picking,
    Shelf,
    fleet_steppers,
    kind_name,
    remark,
    unit_picture,
)
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.ground import Tint
from client.table.pieces import Token
from client.table.retreat_task import Leaving
from client.table.task import FIGHT, HERE, AnyTask, chosen_kind
from shared.board import BOARD
from shared.ids import GALLEY, NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.rulesets.cote2.actions import Commit, Lend, Lose, Slip, Withdraw
from shared.rulesets.cote2.combat_phase import lendable
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.frames import Aid, Casualties, Commitment, Wind, Withdrawal
from shared.rulesets.cote2.losses import CASUALTIES
from shared.rulesets.cote2.state import ALIENS, GALLEYS, galleys_in
from shared.rulesets.cote2.table import TableFields
from shared.rulesets.cote2.withdrawal import WITHDRAWAL, escapes, retreat_targets
from shared.vocabulary.actions import Retreat
from shared.vocabulary.frames import Onward


class Lot(Struct, frozen=True):
    """Equal units. `owner`: a seat, or ALIENS for units of a diplomacy card. Galleys are listed by number and zone."""

    owner: Seat
    kind: int
    size: int
    galleys: tuple[int, ...] = ()
    zone: Space = NONE


def lots(table: TableFields, frame: Casualties) -> list[Lot]:
    """Return all units that may fall, own units first."""
    return sorted(_lots(table, frame), key=lambda lot: (lot.owner != frame.seat, lot.owner, lot.kind, lot.zone))


def _lots(table: TableFields, frame: Casualties) -> Iterator[Lot]:
    for i in range(0, len(frame.army), 4):
        for kind in range(3):
            if frame.army[i + 1 + kind]:
                yield Lot(frame.army[i], kind, frame.army[i + 1 + kind])
    fleets: dict[tuple[Seat, Space], list[int]] = {}
    for galley in frame.galleys:
        fleets.setdefault((galley // GALLEYS, table.galley_at[galley]), []).append(galley)
    for (owner, zone), fleet in fleets.items():
        yield Lot(owner, GALLEY, len(fleet), tuple(fleet), zone)
    if frame.extra:
        yield Lot(ALIENS, GALLEY, frame.extra)


class Losses(Struct, frozen=True):
    """Draft of losses. `counts`: how many of each lot fall; `hits`: how many must fall."""

    lots: tuple[Lot, ...]
    hits: int
    counts: tuple[int, ...]

    @property
    def missing(self) -> int:
        """Number of units still to be chosen."""
        return self.hits - sum(self.counts)

    def order(self) -> Lose:
        """Return the losses as an action."""
        armies: dict[Seat, list[int]] = {}
        galleys: tuple[int, ...] = ()
        extra = 0
        for lot, count in zip(self.lots, self.counts, strict=True):
            if lot.kind != GALLEY:
                armies.setdefault(lot.owner, [0, 0, 0])[lot.kind] += count
            elif lot.galleys:
                galleys += lot.galleys[:count]
            else:
                extra += count
        groups = tuple([(owner, a[0], a[1], a[2]) for owner, a in sorted(armies.items()) if any(a)])
        return Lose(groups, galleys, extra)

    def add(self, at: int, by: int) -> "Losses":
        """Choose one more or fewer of a lot.

        If all hits are assigned, one more replaces a unit of the largest other choice.
        """
        counts = list(self.counts)
        if by > 0 and counts[at] < self.lots[at].size:
            if not self.missing:
                others = [k for k in range(len(counts)) if k != at and counts[k]]
                if not others:
                    return self
                counts[max(others, key=lambda k: (counts[k], k))] -= 1
            counts[at] += 1
        elif by < 0 and counts[at]:
            counts[at] -= 1
        return Losses(self.lots, self.hits, tuple(counts))


def suggested(table: TableFields, frame: Casualties, lose: Lose) -> Losses:
    """Return a choice of losses as a draft."""
    armies = {owner: army for owner, *army in lose.armies}
    counts = []
    found = lots(table, frame)
    for lot in found:
        if lot.kind != GALLEY:
            counts.append(armies[lot.owner][lot.kind] if lot.owner in armies else 0)
        else:
            counts.append(len(set(lot.galleys) & set(lose.galleys)) if lot.galleys else lose.extra)
    return Losses(tuple(found), frame.hits, tuple(counts))


class Help(Struct, frozen=True):
    """Units and galleys that join a battle."""

    army: Army = NO_ARMY
    galleys: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Number of units and galleys."""
        return total(self.army) + len(self.galleys)


class Joining(DraftedDeed[Help]):
    """Choice of units and galleys that join a battle. At first none are chosen.

    `most`: those that could join. `all_words`, `none_words`: the buttons for all and for none of them. `about`: what
    joining means.
    """

    all_words = ""
    none_words = ""
    about = ""

    def __init__(self, desk: Desk, space: Space, most: Help) -> None:
        super().__init__(desk, Help())
        self._space = space
        self._most = most

    def build(self, action_bar: ActionBar) -> None:
        most, seat = self._most, self.desk.seat
        width = action_bar.room_for(3 + len(self._zones()), 96)
        for arm in range(3):
            if most.army[arm]:
                action_bar.stepper(
                    unit_picture(arm, seat),
                    self.draft.army[arm],
                    _("of {army}", army=most.army[arm]),
                    partial(self._add, arm),
                    more=self.draft.army[arm] < most.army[arm],
                    width=width,
                    tip=_("{kind_name} that join in.", kind_name=kind_name(arm)),
                )
        fleet_steppers(self, action_bar, self._fleets(), self._launch, width, _("galleys that join in."))
        remark(action_bar, self.about)

    def _zones(self) -> list[Space]:
        return sorted({self.table.galley_at[g] for g in self._most.galleys})

    def _of(self, galleys: Sequence[int], zone: Space) -> list[int]:
        return [g for g in galleys if self.table.galley_at[g] == zone]

    def _fleets(self) -> Iterator[tuple[Space, int, int]]:
        for zone in self._zones():
            yield zone, len(self._of(self.draft.galleys, zone)), len(self._of(self._most.galleys, zone))

    def _add(self, arm: int, by: int) -> None:
        counts = list(self.draft.army)
        counts[arm] = max(0, min(self._most.army[arm], counts[arm] + by))
        self.put(replace(self.draft, army=(counts[0], counts[1], counts[2])))

    def _launch(self, zone: Space, by: int) -> None:
        here, others = self._of(self._most.galleys, zone), set(self.draft.galleys)
        count = len(others & set(here)) + by
        chosen = (others - set(here)) | set(here[: max(0, count)])
        self.put(replace(self.draft, galleys=tuple(sorted(chosen))))

    def buttons(self) -> Sequence[BarButton]:
        chosen = self.draft.size
        words = f"{self.verb} {chosen}" if chosen else self.none_words
        found = [BarButton(words, self.confirm, "primary", told(Command.CONFIRM))]
        if chosen < self._most.size:
            found.append(
                BarButton(
                    self.all_words, self._all, "plain", _("{key} chooses all of them", key=told(Command.NEXT_PIECE))
                )
            )
        if chosen:
            found.append(BarButton(_("Back"), self.undo, "quiet", told(Command.BACK)))
        return found

    def _all(self) -> bool:
        return self.next() and self.confirm()

    def next(self) -> bool:
        return self.put(self._most)

    def lit(self) -> Mapping[Space, Tint]:
        return {self._space: HERE, **dict.fromkeys(self._zones(), HERE)}


class Committing(Joining):
    """Choice of galleys that join an own land battle next to them."""

    verb = _("Commit")
    all_words = _("Commit all")
    none_words = _("Commit none")
    about = _("They hit where the dice show galleys, and may be lost.")

    def __init__(self, desk: Desk, frame: Commitment, table: TableFields) -> None:
        super().__init__(desk, frame.space, Help(galleys=galleys_in(table, desk.seat, SEAS[frame.space])))

    def line(self) -> str:
        where = BOARD.names[self._space]
        return _("Do galleys join your battle in {where}?", where=where)

    def action(self) -> Action | None:
        return Commit(self.draft.galleys)


class Lending(Joining):
    """Choice of units and galleys to lend to an ally's battle."""

    verb = _("Lend")
    all_words = _("Lend all")
    none_words = _("Lend nothing")
    about = _("Your ally rolls for them, and chooses who falls.")

    def __init__(self, desk: Desk, frame: Aid, table: TableFields) -> None:
        super().__init__(desk, frame.space, Help(*lendable(table, desk.seat, frame.space)))
        self._to = frame.to

    def line(self) -> str:
        name = self.desk.who(self._to)
        where = BOARD.names[self._space]
        return _("What do you lend to {name} in {where}?", name=name, where=where)

    def action(self) -> Action | None:
        return Lend(*self.draft.army, self.draft.galleys)


_BESIDE_EACH_OTHER: Final = 7
"""Most kinds of units that fit into the action bar; more are shown owner by owner."""


class ChoosingLosses(DraftedDeed[Losses]):
    """Choice of the units that fall."""

    verb = _("So be it")

    def __init__(self, desk: Desk, frame: Casualties, table: TableFields) -> None:
        proposed = CASUALTIES.default(table, frame, desk.seat)
        assert isinstance(proposed, Lose)
        super().__init__(desk, suggested(table, frame, proposed))
        self._frame = frame
        self._owner = self.draft.lots[0].owner

    def line(self) -> str:
        missing = self.draft.missing
        hits = self._frame.hits
        what = ngettext("{n} unit falls", "{n} units fall", hits)
        if missing:
            return _(
                "{what} in {place}: choose {missing} more.",
                what=what,
                place=BOARD.names[self._frame.space],
                missing=missing,
            )
        return _(
            "{what} in {place}. Change the choice, or confirm it.",
            what=what,
            place=BOARD.names[self._frame.space],
        )

    def build(self, action_bar: ActionBar) -> None:
        lots = list(enumerate(self.draft.lots))
        if len(lots) > _BESIDE_EACH_OTHER:
            self._owners(action_bar)
            lots = [(at, lot) for at, lot in lots if lot.owner == self._owner]
        width = action_bar.room_for(len(lots), 96)
        for at, lot in lots:
            count = self.draft.counts[at]
            action_bar.stepper(
                unit_picture(lot.kind, lot.owner),
                count,
                _("of {size}", size=lot.size)
                if lot.owner == self.desk.seat
                else f"{self.whose(lot.owner)}: {lot.size}",
                partial(self._add, at),
                more=count < lot.size,
                width=width,
                tip=self._tip(lot),
            )

    def _owners(self, action_bar: ActionBar) -> None:
        """Add a button for each owner, because the action bar has no room for all units."""
        draft = self.draft
        for owner in dict.fromkeys(lot.owner for lot in draft.lots):
            falls = sum(n for lot, n in zip(draft.lots, draft.counts, strict=True) if lot.owner == owner)
            tip = _("Units in this battle, {whose}: so many of them fall.", whose=self.whose(owner))
            look = partial(self._look, owner)
            action_bar.figure(f"marker_{owner}", f"−{falls}", owner == self._owner, look, tip=tip, width=62)
        action_bar.gap()

    def _look(self, owner: Seat) -> None:
        self._owner = owner
        self.desk.changed()

    def _tip(self, lot: Lot) -> str:
        where = _(" on {zone}", zone=BOARD.names[lot.zone]) if lot.zone != NONE else ""
        return _(
            "{kind_name}{where} ({whose}): how many fall. Click for one more.",
            kind_name=kind_name(lot.kind),
            where=where,
            whose=self.whose(lot.owner),
        )

    def _add(self, at: int, by: int) -> None:
        self.put(self.draft.add(at, by))

    def lit(self) -> Mapping[Space, Tint]:
        return {self._frame.space: FIGHT}

    def ghosts(self) -> Sequence[Token]:
        return ()

    def action(self) -> Action | None:
        return self.draft.order() if not self.draft.missing else None


def slipping(desk: Desk, frame: Wind) -> Deed:
    """Return the choice to take galleys out of a battle by a Favorable Wind, or to accept battle."""
    name = desk.who(frame.attacker)
    ways = (
        OfferedAction(
            _("Slip away"),
            Slip(True),
            frame.zone,
            tip=_("There is no battle, and {name} has spent the action.", name=name),
        ),
        OfferedAction(_("Accept battle"), Slip(False), frame.zone, tint=FIGHT, tip=_("The galleys fight.")),
    )
    return SlippingAway(
        desk,
        _("So be it"),
        _("{name} attacks on {zone}, but the wind is with you.", name=name, zone=BOARD.names[frame.zone]),
        ways,
    )


class SlippingAway(Picking):
    """Choice to use the wind; it is used unless the player decides otherwise."""

    def __init__(self, desk: Desk, verb: str, about: str, ways: Sequence[OfferedAction]) -> None:
        super().__init__(desk, verb, about, ways)
        self._at = 0

    def line(self) -> str:
        return self.about


class Departing(Leaving):
    """Choice of a way out of a province. Names of provinces are long, so they are in the line, not on the button."""

    def build(self, action_bar: ActionBar) -> None:
        if not self._targets:
            super().build(action_bar)
            return
        ways = [
            BarButton(BOARD.names[to], partial(self._aim, to), chosen_kind(to == self._to), self._tip)
            for to in self._targets
        ]
        self._shelf.build(action_bar, ways)

    def buttons(self) -> Sequence[BarButton]:
        found = super().buttons()
        return found if self._to == NONE else [replace(found[0], words=_("Retreat")), *found[1:]]

    @cached_property
    def _shelf(self) -> Shelf:
        return Shelf(self)


def onward(desk: Desk, frame: Onward, table: TableFields) -> AnyTask:
    """Return the choice between another round and a retreat."""
    targets = retreat_targets(table, desk.seat, frame.space)
    tip = _("All your units and leaders go there; those that allies lent stay. A retreat is a defeat: 2 chaos.")
    return Departing(desk, frame.space, targets, Retreat, on=True, fate=_("nothing is saved"), tip=tip)


class Withdrawing(Departing):
    """Choice of a target for leaders without units; one is suggested."""

    def __init__(self, desk: Desk, frame: Withdrawal, table: TableFields) -> None:
        tip = _("All your leaders in that province go there.")
        ways = escapes(table, frame.space)
        super().__init__(desk, frame.space, ways, Withdraw, on=False, fate=_("nothing is saved"), tip=tip)
        suggestion = WITHDRAWAL.default(table, frame, desk.seat)
        assert isinstance(suggestion, Withdraw)
        self._to = suggestion.to

    def next(self) -> bool:
        at = self._targets.index(self._to) + 1 if self._to in self._targets else 0
        self._aim(self._targets[at % len(self._targets)])
        return True
