"""Movement of land units, with parties that go different ways."""

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from client.games.cote2.drafts import land_move_draft as m
from client.games.cote2.drafts.land_move_draft import MarchDraft, Party
from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.task_base import DraftedDeed, kind_name, remark, shades, spot, unit_picture
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.geography import Point, geography
from client.table.ground import Tint
from client.table.pieces import Force, Pick, Token, leader_picture
from client.table.task import FIGHT, GO, HERE, Hit
from client.table.words import and_words
from shared.board import BOARD
from shared.ids import NONE, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import minus, total
from shared.odds.attack import Threat
from shared.odds.cote2 import entry
from shared.refusal import Refusal
from shared.rulesets.cote2.actions import Move
from shared.rulesets.cote2.options import galley_load
from shared.rulesets.cote2.state import others_in
from shared.rulesets.cote2.ways import reach


class Marching(DraftedDeed[MarchDraft]):
    """Movement of land units out of one province."""

    verb = _("March")

    def __init__(self, desk: Desk, source: Space = NONE) -> None:
        super().__init__(desk, MarchDraft())
        if source == NONE and len(self._sources()) == 1:
            source = self._sources()[0]
        if source != NONE:
            self.begin(self._suggested(m.muster(self.table, desk.seat, source)))

    def _sources(self) -> list[Space]:
        return m.sources(self.table, self.desk.seat)

    def senders(self, to: Space) -> list[Space]:
        """Return the provinces from which an army can go there."""
        table, seat, check = self.table, self.desk.seat, self.desk.check
        return [source for source in self._sources() if to in m.ends(table, seat, m.muster(table, seat, source), check)]

    def _leave(self, source: Space) -> bool:
        """Start a march out of that province."""
        self.desk.look_at([source])
        return self.put(self._suggested(m.muster(self.table, self.desk.seat, source)))

    def _suggested(self, draft: MarchDraft, to: Space = NONE) -> MarchDraft:
        """Return a draft with a party of all that are left. In a first game few march, except against other armies."""
        if not self.desk.first_game or not draft.party.suggested:
            return draft
        whole = self._left_of(draft)
        fights = to != NONE and any(others_in(self.table, self.table.units[to], self.desk.seat))
        return replace(draft, party=whole if fights else m.few(whole))

    def _left_of(self, draft: MarchDraft) -> Party:
        return m.remaining(self.table, self.desk.seat, draft)

    @property
    def _left(self) -> Party:
        """Units and leaders that could be in the party."""
        return self._left_of(self.draft)

    def _ends(self) -> list[Space]:
        return m.ends(self.table, self.desk.seat, self.draft, self.desk.check)

    # Display

    def line(self) -> str:
        draft = self.draft
        if draft.source == NONE:
            return _("Click a province with one of your leaders.")
        sent = _sent(draft.sent)
        if draft.party.empty:
            return _("{sent}the others stay.", sent=sent) if sent else _("Choose who goes.")
        if draft.party.to == NONE:
            if not self._ends():
                return _(
                    "{sent}{force} can go nowhere from {source}.",
                    sent=sent,
                    force=_force(draft.party),
                    source=BOARD.names[draft.source],
                )
            return _(
                "{sent}{force} of {source}: where to?",
                sent=sent,
                force=_force(draft.party),
                source=BOARD.names[draft.source],
            )
        return _(
            "{sent}{force} to {to}{manner}.",
            sent=sent,
            force=_force(draft.party),
            to=BOARD.names[draft.party.to],
            manner=self._passage_words(draft.party.to),
        )

    def _hint(self) -> str:
        if self.draft.party.to == NONE:
            return _("Click a lit province. Others may stay, or go elsewhere.")
        return _("Click it again, or March. {key} goes a step back.", key=told(Command.BACK))

    def _passage_words(self, to: Space) -> str:
        """Return words for a passage by ship, with the units that must stay, or for enemies at the target."""
        left = total(minus(self._left.units, self.draft.party.units))
        if to not in reach(self.table, self.desk.seat, self.draft.source):
            return _(" by ship ({per_galley} a galley", per_galley=galley_load(self.table)) + (
                f", {left} stay)" if left else ")"
            )
        enemies = others_in(self.table, self.table.units[to], self.desk.seat)
        match [self.desk.who(enemy) for enemy in enemies]:
            case []:
                return ""
            case [one]:
                return _(", where {text} stands", text=one)
            case [one, other]:
                return _(", where {text} and {other} stand", text=one, other=other)
            case many:
                return _(", where {len} rivals stand", len=len(many))

    def build(self, action_bar: ActionBar) -> None:
        draft = self.draft
        if draft.source == NONE:
            action_bar.note(
                _(
                    "Units march as far as you like, but a move takes a leader where it begins. Enemy units block "
                    "the way; over the sea, a galley of yours must lie next to where you land."
                )
            )
            return
        left = self._left
        room = action_bar.room_for(len(left.leaders) + 3, 84)
        for leader in left.leaders:
            action_bar.figure(
                leader_picture(self.desk.table, leader, self.desk.seat),
                _("goes") if leader in draft.party.leaders else _("stays"),
                leader in draft.party.leaders,
                partial(self._toggle, leader),
                width=min(66.0, room),
                tip=_("Click to let him go or stay. Leaders need no room on galleys."),
            )
        action_bar.gap()
        for arm in range(3):
            if left.units[arm]:
                action_bar.stepper(
                    unit_picture(arm, self.desk.seat),
                    draft.party.units[arm],
                    _("of {units}", units=left.units[arm]),
                    partial(self._add, arm),
                    more=draft.party.units[arm] < left.units[arm],
                    width=room,
                    tip=_("{kind_name} that go. Click the picture or turn the wheel.", kind_name=kind_name(arm)),
                )
        remark(action_bar, self._hint())

    def buttons(self) -> Sequence[BarButton]:
        found = list(super().buttons())
        if self.draft.party.to != NONE:
            rest = m.split(self.table, self.desk.seat, self.draft).party
            tip = _("Units that are not in this party go to another province in the same action.")
            found.append(BarButton(_("Others elsewhere"), self.split, "plain", tip, not rest.empty))
        return found

    def threat(self) -> Threat | None:
        """Return the strongest enemy at the party's target: a battle there is the next action."""
        party, table, seat = self.draft.party, self.table, self.desk.seat
        if party.to == NONE:
            return None
        return entry(table, seat, party.to, party.units, len(party.leaders))

    def lit(self) -> Mapping[Space, Tint]:
        draft = self.draft
        if draft.source == NONE:
            return dict.fromkeys(self._sources(), GO)
        table, seat = self.table, self.desk.seat
        lit = {to: FIGHT if others_in(table, table.units[to], seat) else GO for to in self._ends()}
        aims = [party.to for party in (*draft.sent, draft.party) if party.to != NONE]
        return {**lit, **dict.fromkeys(aims, HERE), draft.source: HERE}

    def ghosts(self) -> Sequence[Token]:
        """Return the pieces of all aimed parties at their targets, in addition to other ghosts."""
        parties = [party for party in (*self.draft.sent, self.draft.party) if party.to != NONE]
        forces = [(party.to, Force(self.desk.seat, party.units, party.leaders)) for party in parties]
        return [*super().ghosts(), *[token for to, force in forces for token in shades(self.table, to, force)]]

    def glow(self) -> frozenset[Pick]:
        draft, seat = self.draft, self.desk.seat
        found = {Pick("leader", draft.source, seat, leader) for leader in draft.party.leaders}
        return frozenset(found | {Pick("army", draft.source, seat)} if any(draft.party.units) else found)

    def arrow(self) -> Sequence[Point]:
        if self.draft.party.to == NONE:
            return ()
        heart = geography().heart
        return [heart(self.draft.source), heart(self.draft.party.to)]

    # Actions

    def click(self, hit: Hit) -> bool:
        at_galley = hit.pick is not None and hit.pick.kind == "galley"
        # A galley's own place is a sea zone, where no army can go: the click means what lies below it.
        draft, space = self.draft, hit.space if at_galley else spot(hit)
        if not 0 <= space < BOARD.provinces:
            return self._at_sea()
        if draft.source == NONE and space not in self._sources():
            # If a single army can go there, the click sends it; otherwise the rules tell why none leaves from there.
            able = self.senders(space)
            return self._leave(able[0]) and self._aim(space) if len(able) == 1 else self.explain(Move(space, ()))
        if draft.source == NONE:
            return self._leave(space)
        if space == draft.source:
            own = hit.pick is not None and hit.pick.kind == "leader" and hit.pick.piece in self._left.leaders
            if own and hit.pick is not None:
                self._toggle(hit.pick.piece)
            return True
        if space == draft.party.to:
            return self.confirm()
        return self._aim(space)

    def _at_sea(self) -> bool:
        """Refuse a click at sea with a hint once a march has begun. Return whether it was refused."""
        if self.steps.fresh:
            return False
        self.desk.toast(_("Armies land in provinces: click a lit one. {key} goes a step back.", key=told(Command.BACK)))
        return True

    def _aim(self, to: Space) -> bool:
        if self.draft.party.empty:
            self.desk.toast(_("No units are left to go there."), "bad")
            return True
        aimed = m.aim(self._suggested(self.draft, to), to, self.desk.check)
        if not isinstance(aimed, Refusal):
            return self.put(aimed)
        # A province out of reach begins a march of its own, but not at the cost of parties sent already.
        if to in self._sources() and not self.draft.sent:
            return self._leave(to)
        self.desk.refuse(aimed)
        return True

    def _toggle(self, leader: int) -> None:
        self._put_if_reachable(m.toggle(self.draft, leader))

    def _add(self, arm: int, by: int) -> None:
        units = self.draft.party.units
        self._put_if_reachable(m.set_units(self.draft, arm, units[arm] + by, self._left.units[arm]))

    def _put_if_reachable(self, draft: MarchDraft) -> None:
        """Put the changed party, unless it could no longer reach its target. Then say so and keep the former party."""
        if draft.party.to != NONE and not draft.party.empty:
            why = self.why_not(draft.order())
            if why:
                self.desk.toast(why, "bad")
                return
        self.put(draft)

    def split(self) -> bool:
        """Send this party, and begin another one."""
        return self.put(self._suggested(m.split(self.table, self.desk.seat, self.draft)))

    def action(self) -> Action | None:
        order = self.draft.order()
        return order if order.armies or order.leaders else None

    def next(self) -> bool:
        found = self._sources()
        if not found or self.draft.sent:
            return False
        source = self.draft.source
        return self._leave(found[(found.index(source) + 1) % len(found)] if source in found else found[0])


def _sent(parties: Sequence[Party]) -> str:
    """Return the size of the parties sent elsewhere, in words. With several, the board shows their targets."""
    if len(parties) == 1:
        return _("{size} to {to}; ", size=parties[0].size, to=BOARD.names[parties[0].to])
    return _("{sum} go elsewhere; ", sum=sum(party.size for party in parties)) if parties else ""


def _force(party: Party) -> str:
    """Return the size of a party in words; the action bar shows its members."""
    units, leaders = total(party.units), len(party.leaders)
    parts = [
        ngettext("{n} unit", "{n} units", units) if units else "",
        ngettext("{n} leader", "{n} leaders", leaders) if leaders else "",
    ]
    return and_words([part for part in parts if part])
