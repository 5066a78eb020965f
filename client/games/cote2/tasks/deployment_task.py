"""Placement of the first units: they may stand only in provinces with own influence."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.task_base import FormDeed, kind_name, sea_name, shades, spot, unit_picture
from client.language import _
from client.table.action_bar import ActionBar, BarButton
from client.table.form_task import Cell, Look
from client.table.ground import Tint
from client.table.pieces import Force, Token
from client.table.task import GO, HERE, Hit, berths, signs
from client.table.words import army_words
from shared.actions.description import FieldKind
from shared.board import BOARD
from shared.ids import GALLEY, NO_ARMY, NONE, Army, Space
from shared.mechanics.armies import minus, plus
from shared.rulesets.cote2.actions import Deploy
from shared.rulesets.cote2.alliances import DEPLOYMENT, camps, harbours
from shared.rulesets.cote2.frames import Deployment
from shared.rulesets.cote2.state import LEADERS, TableFields, start_army


class Deploying(FormDeed[Deploy]):
    """Placement of the first units, shown one province at a time."""

    verb = _("Place all")

    def __init__(self, desk: Desk, frame: Deployment, table: TableFields) -> None:
        # The rules' own choice: beginners can confirm it as it is.
        first = DEPLOYMENT.default(table, frame, desk.seat)
        assert isinstance(first, Deploy)
        super().__init__(desk, Deploy, first=first)
        self.space = first.caesar
        """The province that is shown."""
        self._camps = camps(self.table, desk.seat)
        self._harbours = harbours(self.table, desk.seat)
        desk.look_at(self._camps)

    def _here(self, space: Space) -> Army:
        """Return the units in a province."""
        for camp, infantry, cavalry, catapults in self.draft.armies:
            if camp == space:
                return infantry, cavalry, catapults
        return NO_ARMY

    @property
    def left(self) -> Army:
        """Units that stand nowhere yet."""
        army = start_army()
        for _camp, *placed in self.draft.armies:
            army = minus(army, placed)
        return army

    def most(self, cell: Cell) -> int:
        return self.count(cell) + self.left[cell.column]

    def line(self) -> str:
        if any(self.left):
            return _("{text} still stand nowhere. Click a lit province, then +.", text=army_words(self.left))
        name = BOARD.names[self.space]
        return _("{name}: {text}. Change it, or place all.", name=name, text=army_words(self._here(self.space)))

    def look(self, cell: Cell) -> Look | None:
        if cell.field.kind is not FieldKind.ROWS or cell.place != self.space:
            return None
        arm, place = cell.column, BOARD.names[self.space]
        tip = _(
            "{kind_name} in {place}. Take some off here to place them elsewhere.", kind_name=kind_name(arm), place=place
        )
        return Look(unit_picture(arm, self.desk.seat), kind_name(arm), tip, self.left[arm])

    def build(self, action_bar: ActionBar) -> None:
        draft, seat = self.draft, self.desk.seat
        width = action_bar.room_for(6, 102)
        for cell in self.cells:
            look = self.look(cell)
            if look is not None:
                self.show(action_bar, cell, look, width)
        name = BOARD.names[self.space]
        action_bar.figure(
            f"caesar_{seat}", _where(_("Caesar"), draft.caesar, self.space), draft.caesar == self.space,
            self._caesar, width=width, tip=_("Click to place your Caesar in {name}.", name=name),
        )  # fmt: skip
        action_bar.figure(
            f"general_{seat}", _where(_("General"), draft.general, self.space), draft.general == self.space,
            self._general, width=width, tip=_("Click to place your general in {name}.", name=name),
        )  # fmt: skip
        if draft.galley != NONE:
            action_bar.figure(
                unit_picture(GALLEY, seat),
                sea_name(draft.galley),
                True,
                self._next_harbour,
                width=width,
                tip=_(
                    "The galley lies on {galley}. Click a lit sea zone, or here for the next one.",
                    galley=BOARD.names[draft.galley],
                ),
            )

    def buttons(self) -> Sequence[BarButton]:
        found = list(super().buttons())
        if any(self.left):
            tip = _("All that stand nowhere yet go to {place}.", place=BOARD.names[self.space])
            found.append(BarButton(_("The rest here"), self._gather, "plain", tip))
        return found

    def lit(self) -> Mapping[Space, Tint]:
        lit = dict.fromkeys([*self._camps, *self._harbours], GO)
        return {**lit, self.space: HERE} | ({self.draft.galley: HERE} if self.draft.galley != NONE else {})

    def ghosts(self) -> Sequence[Token]:
        seat, draft = self.desk.seat, self.draft
        taken = {space for space, *_army in draft.armies} | {draft.caesar, draft.general}
        free = {space: tint for space, tint in self.lit().items() if space not in taken}
        pieces = [token for space in self._camps for token in self._pieces(space)]
        return [*signs(self.desk.table, free), *pieces, *(berths([draft.galley], seat) if draft.galley != NONE else ())]

    def _pieces(self, space: Space) -> list[Token]:
        """Return the pieces that will stand in a space."""
        draft, seat = self.draft, self.desk.seat
        leaders = [seat * LEADERS] * (draft.caesar == space) + [seat * LEADERS + 1] * (draft.general == space)
        return shades(self.table, space, Force(seat, self._here(space), tuple(leaders)))

    def click(self, hit: Hit) -> bool:
        space = spot(hit)
        if space in self._harbours:
            return self._galley(space)
        if space in self._camps:
            return self._open(space)
        return 0 <= space < BOARD.provinces and self.explain(replace(self.draft, caesar=space))

    def _open(self, space: Space) -> bool:
        """Show another province."""
        self.space = space
        self.desk.changed()
        return True

    def _gather(self) -> bool:
        """Place all remaining units in the province that is shown."""
        others = [row for row in self.draft.armies if row[0] != self.space]
        here = (self.space, *plus(self._here(self.space), self.left))
        return self.put(replace(self.draft, armies=tuple(sorted([*others, here]))))

    def _caesar(self) -> bool:
        return self.put(replace(self.draft, caesar=self.space))

    def _general(self) -> bool:
        return self.put(replace(self.draft, general=self.space))

    def _next_harbour(self) -> bool:
        at = (self._harbours.index(self.draft.galley) + 1) % len(self._harbours)
        return self._galley(self._harbours[at])

    def _galley(self, zone: Space) -> bool:
        return self.put(replace(self.draft, galley=zone))

    def next(self) -> bool:
        at = (self._camps.index(self.space) + 1) % len(self._camps)
        return self._open(self._camps[at])


def _where(name: str, at: Space, shown: Space) -> str:
    return name if at == shown else BOARD.names[at]
