"""Decisions of a battle: helpers, losses, and retreats."""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property, partial
from typing import Final, Generic

from msgspec.structs import replace

from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.task_base import (
    A,
    Deed,
    FormDeed,
    OfferedAction,
    Picking,
    Shelf,
    kind_name,
    remark,
    sea_name,
    unit_picture,
)
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.form_task import Cell, Look
from client.table.ground import Tint
from client.table.pieces import Token
from client.table.retreat_task import Leaving
from client.table.task import FIGHT, HERE, AnyTask, chosen_kind
from shared.actions.description import Choice, Field, FieldKind
from shared.board import BOARD
from shared.ids import GALLEY, NONE, Seat, Space
from shared.mechanics.armies import army_of
from shared.rulesets.cote2.actions import Commit, Lend, Lose, Slip, Withdraw
from shared.rulesets.cote2.frames import Aid, Casualties, Commitment, Wind, Withdrawal
from shared.rulesets.cote2.state import ALIENS, GALLEYS, TableFields
from shared.rulesets.cote2.withdrawal import WITHDRAWAL, escapes, retreat_targets
from shared.vocabulary.actions import Retreat
from shared.vocabulary.frames import Onward


class Joining(FormDeed[A], Generic[A]):
    """Choice of units and galleys that join a battle. At first none are chosen.

    `all_words`, `none_words`: the buttons for all and for none of them. `about`: what joining means.
    """

    all_words = ""
    none_words = ""
    about = ""
    together = True

    def __init__(self, desk: Desk, space: Space, nothing: A) -> None:
        super().__init__(desk, type(nothing), first=nothing)
        self._space = space

    def alike(self, field: Field, option: Choice) -> Hashable:
        return option.place

    def look(self, cell: Cell) -> Look | None:
        if not cell.high:
            return None
        seat = self.desk.seat
        if cell.place == NONE:
            kind = self.cells.index(cell)
            tip = _("{kind_name} that join in.", kind_name=kind_name(kind))
            return Look(unit_picture(kind, seat), _("of {army}", army=cell.high), tip)
        tip = f"{BOARD.names[cell.place]}: {_('galleys that join in.')}"
        return Look(unit_picture(GALLEY, seat), sea_name(cell.place), tip, cell.high - self.count(cell))

    def build(self, action_bar: ActionBar) -> None:
        super().build(action_bar)
        remark(action_bar, self.about)

    def buttons(self) -> Sequence[BarButton]:
        chosen = self._weight(self.draft)
        words = f"{self.verb} {chosen}" if chosen else self.none_words
        found = [BarButton(words, self.confirm, "primary", told(Command.CONFIRM))]
        if chosen < sum(cell.high for cell in self.cells):
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
        every = self.draft
        for cell in self.cells:
            every = cell.counted(every, cell.high)
        return self.put(every)

    def lit(self) -> Mapping[Space, Tint]:
        return dict.fromkeys([self._space, *[cell.place for cell in self.cells if cell.place != NONE]], HERE)


class Committing(Joining[Commit]):
    """Choice of galleys that join an own land battle next to them."""

    verb = _("Commit")
    all_words = _("Commit all")
    none_words = _("Commit none")
    about = _("They hit where the dice show galleys, and may be lost.")

    def __init__(self, desk: Desk, frame: Commitment) -> None:
        super().__init__(desk, frame.space, Commit(()))

    def line(self) -> str:
        where = BOARD.names[self._space]
        return _("Do galleys join your battle in {where}?", where=where)


class Lending(Joining[Lend]):
    """Choice of units and galleys to lend to an ally's battle."""

    verb = _("Lend")
    all_words = _("Lend all")
    none_words = _("Lend nothing")
    about = _("Your ally rolls for them, and chooses who falls.")

    def __init__(self, desk: Desk, frame: Aid) -> None:
        super().__init__(desk, frame.space, Lend())
        self._to = frame.to

    def line(self) -> str:
        name = self.desk.who(self._to)
        where = BOARD.names[self._space]
        return _("What do you lend to {name} in {where}?", name=name, where=where)


_BESIDE_EACH_OTHER: Final = 7
"""Most kinds of units that fit into the action bar; more are shown owner by owner."""


class ChoosingLosses(FormDeed[Lose]):
    """Choice of the units that fall, own ones first."""

    verb = _("So be it")
    together = True

    def __init__(self, desk: Desk, frame: Casualties) -> None:
        super().__init__(desk, Lose)
        self._frame = frame
        self.whole = frame.hits
        there = [cell for cell in self.cells if cell.high]
        self.cells = sorted(there, key=lambda cell: (_owner(cell) != frame.seat, _owner(cell), _kind(cell), cell.place))
        self._shown = _owner(self.cells[0])

    def alike(self, field: Field, option: Choice) -> Hashable:
        return option.value // GALLEYS, option.place

    def line(self) -> str:
        what, place = ngettext("{n} unit falls", "{n} units fall", self._frame.hits), BOARD.names[self._frame.space]
        if self.missing:
            return _("{what} in {place}: choose {missing} more.", what=what, place=place, missing=self.missing)
        return _("{what} in {place}. Change the choice, or confirm it.", what=what, place=place)

    def build(self, action_bar: ActionBar) -> None:
        if len(self.cells) > _BESIDE_EACH_OTHER:
            self._owners(action_bar)
        super().build(action_bar)

    def _owners(self, action_bar: ActionBar) -> None:
        """Add a button for each owner, because the action bar has no room for all units."""
        for owner in dict.fromkeys(map(_owner, self.cells)):
            falls = sum(self.count(cell) for cell in self.cells if _owner(cell) == owner)
            tip = _("Units in this battle, {whose}: so many of them fall.", whose=self.whose(owner))
            turn = partial(self._turn, owner)
            action_bar.figure(f"marker_{owner}", f"−{falls}", owner == self._shown, turn, tip=tip, width=62)
        action_bar.gap()

    def _turn(self, owner: Seat) -> None:
        self._shown = owner
        self.desk.changed()

    def look(self, cell: Cell) -> Look | None:
        owner, kind = _owner(cell), _kind(cell)
        if len(self.cells) > _BESIDE_EACH_OTHER and owner != self._shown:
            return None
        # Galleys of a diplomacy card have no pieces, so that there are none among the options.
        size = army_of(self._frame.army, owner)[kind] if kind != GALLEY else len(cell.options) or self._frame.extra
        mine, whose = owner == self.desk.seat, self.whose(owner)
        tip = _(
            "{kind_name}{where} ({whose}): how many fall. Click for one more.",
            kind_name=kind_name(kind),
            where=_(" on {zone}", zone=BOARD.names[cell.place]) if cell.place != NONE else "",
            whose=whose,
        )
        return Look(unit_picture(kind, owner), _("of {size}", size=size) if mine else f"{whose}: {size}", tip)

    def lit(self) -> Mapping[Space, Tint]:
        return {self._frame.space: FIGHT}

    def ghosts(self) -> Sequence[Token]:
        return ()


def _owner(cell: Cell) -> Seat:
    """Return the owner of units that may fall: a seat, or ALIENS for units of a diplomacy card."""
    if not cell.options:
        return ALIENS
    return cell.options[0] // (GALLEYS if cell.field.kind is FieldKind.SET else 1)


def _kind(cell: Cell) -> int:
    """Return the kind of units that may fall, 0 infantry to 3 galley."""
    return cell.column if cell.field.kind is FieldKind.ROWS else GALLEY


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
