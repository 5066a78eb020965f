"""Placement of the first units: they may stand only in provinces with own influence."""

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.task_base import DraftedDeed, kind_name, sea_name, shades, spot, unit_picture
from client.language import _
from client.table.action_bar import ActionBar, BarButton
from client.table.ground import Tint
from client.table.pieces import Force, Token
from client.table.task import GO, HERE, Hit, berths, signs
from client.table.words import army_words
from shared.board import BOARD
from shared.ids import GALLEY, NO_ARMY, NONE, Army, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import minus, plus
from shared.rulesets.cote2.actions import Deploy
from shared.rulesets.cote2.alliances import DEPLOYMENT, camps, harbours
from shared.rulesets.cote2.frames import Deployment
from shared.rulesets.cote2.state import LEADERS, start_army
from shared.rulesets.cote2.table import TableFields


class Camps(Struct, frozen=True):
    """Draft of a deployment. `space`: the province that is shown; `armies`: by province."""

    space: Space
    armies: dict[Space, Army]
    caesar: Space
    general: Space
    galley: Space = NONE

    def order(self) -> Deploy:
        """Return the deployment as an action."""
        groups = tuple([(space, *army) for space, army in sorted(self.armies.items()) if any(army)])
        return Deploy(groups, self.caesar, self.general, self.galley)

    def here(self, space: Space) -> Army:
        """Return the units in a province."""
        return self.armies.get(space, NO_ARMY)

    @property
    def left(self) -> Army:
        """Units that stand nowhere yet."""
        army = start_army()
        for placed in self.armies.values():
            army = minus(army, placed)
        return army

    def add(self, arm: int, by: int) -> "Camps":
        """Place one more or fewer of an arm in the province shown, as long as there are any left."""
        if (by > 0 and not self.left[arm]) or (by < 0 and not self.here(self.space)[arm]):
            return self
        step = [0, 0, 0]
        step[arm] = 1 if by > 0 else -1
        return replace(self, armies={**self.armies, self.space: plus(self.here(self.space), step)})

    def gather(self) -> "Camps":
        """Place all remaining units in the province that is shown."""
        return replace(self, armies={**self.armies, self.space: plus(self.here(self.space), self.left)})


def camps_of(deploy: Deploy) -> Camps:
    """Return a deployment as a draft."""
    armies: dict[Space, Army] = {space: (i, h, c) for space, i, h, c in deploy.armies}
    return Camps(deploy.caesar, armies, deploy.caesar, deploy.general, deploy.galley)


class Deploying(DraftedDeed[Camps]):
    """Placement of the first units."""

    verb = _("Place all")

    def __init__(self, desk: Desk, frame: Deployment, table: TableFields) -> None:
        first = DEPLOYMENT.default(table, frame, desk.seat)
        assert isinstance(first, Deploy)
        super().__init__(desk, camps_of(first))
        self._camps = camps(self.table, desk.seat)
        self._harbours = harbours(self.table, desk.seat)
        desk.look_at(self._camps)

    def line(self) -> str:
        draft = self.draft
        if any(draft.left):
            return _("{text} still stand nowhere. Click a lit province, then +.", text=army_words(draft.left))
        name = BOARD.names[draft.space]
        return _("{name}: {text}. Change it, or place all.", name=name, text=army_words(draft.here(draft.space)))

    def build(self, action_bar: ActionBar) -> None:
        draft, seat = self.draft, self.desk.seat
        width = action_bar.room_for(6, 102)
        for arm, count in enumerate(draft.here(draft.space)):
            action_bar.stepper(
                unit_picture(arm, seat),
                count,
                kind_name(arm),
                partial(self._add, arm),
                more=draft.left[arm] > 0,
                left=draft.left[arm],
                width=width,
                tip=_(
                    "{kind_name} in {place}. Take some off here to place them elsewhere.",
                    kind_name=kind_name(arm),
                    place=BOARD.names[draft.space],
                ),
            )
        name = BOARD.names[draft.space]
        action_bar.figure(
            f"caesar_{seat}", _where(_("Caesar"), draft.caesar, draft.space), draft.caesar == draft.space,
            self._caesar, width=width, tip=_("Click to place your Caesar in {name}.", name=name),
        )  # fmt: skip
        action_bar.figure(
            f"general_{seat}", _where(_("General"), draft.general, draft.space), draft.general == draft.space,
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
        if any(self.draft.left):
            tip = _("All that stand nowhere yet go to {place}.", place=BOARD.names[self.draft.space])
            found.append(BarButton(_("The rest here"), self._gather, "plain", tip))
        return found

    def lit(self) -> Mapping[Space, Tint]:
        lit = dict.fromkeys([*self._camps, *self._harbours], GO)
        return {**lit, self.draft.space: HERE} | ({self.draft.galley: HERE} if self.draft.galley != NONE else {})

    def ghosts(self) -> Sequence[Token]:
        seat, draft = self.desk.seat, self.draft
        taken = {space for space, army in draft.armies.items() if any(army)} | {draft.caesar, draft.general}
        free = {space: tint for space, tint in self.lit().items() if space not in taken}
        pieces = [token for space in self._camps for token in self._pieces(space)]
        return [*signs(self.desk.table, free), *pieces, *(berths([draft.galley], seat) if draft.galley != NONE else ())]

    def _pieces(self, space: Space) -> list[Token]:
        """Return the pieces that will stand in a space."""
        draft, seat = self.draft, self.desk.seat
        leaders = [seat * LEADERS] * (draft.caesar == space) + [seat * LEADERS + 1] * (draft.general == space)
        return shades(self.table, space, Force(seat, draft.here(space), tuple(leaders)))

    def click(self, hit: Hit) -> bool:
        space = spot(hit)
        if space in self._harbours:
            return self._galley(space)
        if space in self._camps:
            return self.put(replace(self.draft, space=space))
        return 0 <= space < BOARD.provinces and self.explain(replace(self.draft, caesar=space).order())

    def _add(self, arm: int, by: int) -> None:
        self.put(self.draft.add(arm, by))

    def _gather(self) -> bool:
        return self.put(self.draft.gather())

    def _caesar(self) -> bool:
        return self.put(replace(self.draft, caesar=self.draft.space))

    def _general(self) -> bool:
        return self.put(replace(self.draft, general=self.draft.space))

    def _next_harbour(self) -> bool:
        at = (self._harbours.index(self.draft.galley) + 1) % len(self._harbours)
        return self._galley(self._harbours[at])

    def _galley(self, zone: Space) -> bool:
        return self.put(replace(self.draft, galley=zone))

    def action(self) -> Action | None:
        return self.draft.order()

    def next(self) -> bool:
        at = (self._camps.index(self.draft.space) + 1) % len(self._camps)
        return self.put(replace(self.draft, space=self._camps[at]))


def _where(name: str, at: Space, shown: Space) -> str:
    return name if at == shown else BOARD.names[at]
