"""The movement phase: picking legions and galleys, choosing their units, aiming and sending them."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import hypot
from typing import Generic

from client.games.conquest.drafts.move_draft import (
    Legion,
    Movement,
    SailDraft,
    follow_up,
    marchers,
    movable,
    next_stop,
    sailors,
)
from client.games.conquest.position_queries import T
from client.games.conquest.rules_adapter import Marching
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext, say
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Desk
from client.table.geography import Point, geography
from client.table.ground import Tint
from client.table.pieces import ARMS, Pick, Token, leader_picture
from client.table.task import FIGHT, GO, HERE, Hit, Task, berths, signs
from client.table.words import and_words, does, force_words, where_words
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Position, Space
from shared.kernel.frames import Action
from shared.odds.attack import Threat
from shared.rulesets.conquest.pieces import legion_limit, movement_points, passengers, ready
from shared.vocabulary.actions import EndMovement


class Moving(Task[T], Generic[T]):
    """Movement of the turn: legions and galleys."""

    end_words = _("End movement")

    def __init__(self, desk: Desk[T], rules: Marching[T]) -> None:
        super().__init__(desk)
        self.rules = rules
        self.draft = Movement(desk.table, desk.seat, desk.check, self.rules, few=desk.first_game)
        self._sent: Action | None = None
        self._last: tuple[str, int] | None = None
        self._dropping = False
        self._drop: Army = NO_ARMY

    def renew(self) -> None:
        sent, self._sent = self._sent, None
        self.draft.table = self.desk.table  # Only the position: the pick survives events that do not touch it.
        if sent is not None:
            self.draft.clear()
            self._dropping = False
            self._last = None  # The next piece is the first that has not moved, perhaps in the same province.
            self._take(follow_up(self.desk.table, self.desk.seat, sent, self.rules))

    def _take(self, stop: tuple[str, int] | None, leader: int = NONE) -> bool:
        if stop is None:
            return False
        self._last = stop
        kind, number = stop
        refusal = self.draft.pick_galley(number) if kind == "galley" else self.draft.pick_province(number, leader)
        if refusal is not None:
            self.desk.refuse(refusal)
        place = self.desk.table.galley_at[number] if kind == "galley" else number
        self.desk.look_at([place])
        self.desk.changed()
        return refusal is None

    # Display

    def line(self) -> str:
        pick = self.draft.pick
        if self._is_asking:
            return _("These can still move: {places}.", places=and_words(self._unmoved_words()))
        if pick is None:
            left = next_stop(self.desk.table, self.desk.seat, None, self.rules)
            return _("Click a province with one of your leaders, or a galley.") if left else _("All have moved.")
        if self._dropping and isinstance(pick, Legion):
            return _("How many stay in {to}? (Negative numbers join the march there.)", to=BOARD.names[pick.to])
        if isinstance(pick, SailDraft):
            return self._voyage_line(pick)
        force = force_words(pick.leaders, pick.carried, self.desk.table.leaders_each)
        if pick.to == NONE:
            stuck = self._why_stuck()
            return stuck or _("{here}: {force}. Click a lit province.", here=BOARD.names[pick.here], force=force)
        clash = self.rules.clash(self.desk.table, self.desk.seat, pick.to)
        if clash:
            one, many = _("{force} attacks {place}."), _("{force} attack {place}.")
        else:
            one, many = _("{force} goes to {place}."), _("{force} go to {place}.")
        sentence = does(pick.leaders, pick.carried, one, many).format(force=force, place=BOARD.names[pick.to])
        return f"{sentence[:1].upper()}{sentence[1:]}"

    def _why_stuck(self) -> str:
        """Return why the pick can go nowhere; empty if it has a target."""
        candidates = self.draft.candidates()
        if not candidates or self.draft.targets():
            return ""
        refusal = self.draft.why_not(candidates[0])
        return say(refusal.sentence) if refusal is not None else ""

    def _voyage_line(self, voyage: SailDraft) -> str:
        table = self.desk.table
        at = table.galley_at[voyage.galley]
        leaders, army = passengers(table, self.desk.seat, voyage.galley)
        load = (leaders, army) if BOARD.is_sea(at) else (voyage.leaders, voyage.units)
        aboard = _(" with {force}", force=force_words(*load, self.desk.table.leaders_each)) if load[0] else ", empty"
        if voyage.to == NONE:
            return self._why_stuck() or _(
                "Galley at {where}{aboard}. Click a lit sea or coast.", where=where_words(at), aboard=aboard
            )
        return _("The galley{aboard} sails to {where}.", aboard=aboard, where=where_words(voyage.to))

    def build(self, action_bar: ActionBar) -> None:
        pick = self.draft.pick
        if self._dropping and isinstance(pick, Legion):
            self._build_drop(action_bar, pick)
        elif isinstance(pick, Legion):
            self._build_legion(action_bar, pick)
        elif isinstance(pick, SailDraft):
            self._build_voyage(action_bar, pick)
        else:
            action_bar.note(
                _(
                    "A leader takes up to seven units with him, one province at a time; horsemen and leaders go two. "
                    "{next} steps through all that can still move, {confirm} confirms, {back} goes back.",
                    next=told(Command.NEXT_PIECE),
                    confirm=told(Command.CONFIRM),
                    back=told(Command.BACK),
                )
            )

    def _build_legion(self, action_bar: ActionBar, legion: Legion) -> None:
        self._add_leaders(action_bar, legion)
        action_bar.gap()
        here = self.draft.ready_units(legion)
        tip = _("{arm} that march. Click the picture or turn the wheel.", arm="{}")
        self._add_arm_steppers(action_bar, legion.carried, (here[0], here[1] + here[3], here[2]), tip)
        if here[3] and here[1]:
            action_bar.stepper(
                f"cavalry_{self.desk.seat}",
                legion.tired,
                _("tired ones"),
                self._add_tired,
                more=legion.tired < here[3],
                tip=_("How many of the horsemen that march have already moved one province this turn."),
            )

    def _add_leaders(self, action_bar: ActionBar, legion: Legion) -> None:
        """Add the leaders who could march, each with the steps left."""
        table, seat = self.desk.table, self.desk.seat
        leaders = marchers(table, seat, legion.source, self.rules) if not legion.drops else legion.leaders
        width = min(62.0, 330 / max(1, len(leaders)))
        tip = _("A leader takes up to 7 units. Click to let him go or stay; below is how far he can still move.")
        for leader in leaders:
            steps = ngettext("{n} step", "{n} steps", movement_points(self.desk.table) - table.leader_used[leader])
            toggle = partial(self._toggle, leader)
            picture = leader_picture(table, leader, seat)
            action_bar.figure(picture, steps, leader in legion.leaders, toggle, width=width, tip=tip)

    def _add_arm_steppers(self, action_bar: ActionBar, units: Army, whole: Army, tip: str) -> None:
        """Add steppers for the units of each arm, out of those that could go. `tip`: with a gap for the arm."""
        for arm in range(3):
            if whole[arm]:
                action_bar.stepper(
                    f"{ARMS[arm]}_{self.desk.seat}",
                    units[arm],
                    _("of {whole}", whole=whole[arm]),
                    partial(self._add, arm),
                    more=units[arm] < self.draft.most(arm),
                    tip=tip.format(ARMS[arm].capitalize()),
                )

    def _build_voyage(self, action_bar: ActionBar, voyage: SailDraft) -> None:
        table, seat = self.desk.table, self.desk.seat
        if BOARD.is_sea(table.galley_at[voyage.galley]):
            leaders, army = passengers(table, seat, voyage.galley)
            aboard = (
                _("Aboard: {force}. ", force=force_words(leaders, army, table.leaders_each))
                if leaders
                else _("It is empty. ")
            )
            action_bar.note(aboard + _("At a coast all go ashore."))
        elif not self.draft.crew_of(voyage):
            action_bar.note(_("To go aboard here takes a leader who has not marched this turn."))
        else:
            self._crew(action_bar, voyage)
            action_bar.gap()
            tip = _("A galley carries {legion} units.", legion=legion_limit(self.desk.table))
            self._add_arm_steppers(action_bar, voyage.units, self.draft.cargo_room(voyage), tip)

    def _crew(self, action_bar: ActionBar, voyage: SailDraft) -> None:
        """Add the leaders who could go aboard."""
        for leader in self.draft.crew_of(voyage):
            on = leader in voyage.leaders
            picture = leader_picture(self.desk.table, leader, self.desk.seat)
            tip = _("Click to take him aboard, or leave him ashore.")
            action_bar.figure(picture, _("aboard") if on else _("stays"), on, partial(self._toggle, leader), tip=tip)

    def _build_drop(self, action_bar: ActionBar, legion: Legion) -> None:
        carried, there = self.draft.drop_room()
        for arm in range(3):
            if carried[arm] or there[arm]:
                action_bar.stepper(
                    f"{ARMS[arm]}_{self.desk.seat}",
                    self._drop[arm],
                    f"−{there[arm]} … {carried[arm]}",
                    partial(self._set_drop, arm),
                    more=self._drop[arm] < carried[arm],
                    less=self._drop[arm] > -there[arm],
                )

    def buttons(self) -> Sequence[BarButton]:
        draft = self.draft
        if self._dropping:
            return (
                BarButton(_("Leave them here"), self.confirm, "primary", told(Command.CONFIRM)),
                BarButton(_("Back"), self.undo, "plain", told(Command.BACK)),
            )
        found: list[BarButton] = []
        if draft.pick is not None:
            ready = draft.action() is not None
            words = _("Sail") if isinstance(draft.pick, SailDraft) else _("March")
            found.append(
                BarButton(
                    words,
                    self.confirm,
                    "primary",
                    _("{key}, or click the target again", key=told(Command.CONFIRM)),
                    ready,
                )
            )
            if draft.on_road:
                found.append(
                    BarButton(
                        _("Stop there, then on"),
                        self._stop_over,
                        "plain",
                        _("Leave or collect units in that city and go on by road with the rest."),
                    )
                )
            found.append(
                BarButton(_("Back"), self.undo, "quiet", _("{key}, or the right mouse button", key=told(Command.BACK)))
            )
        else:
            found.append(BarButton(_("Next to move"), self.next, "plain", told(Command.NEXT_PIECE)))
            found.append(self.end_choice())
        return found

    def threat(self) -> Threat | None:
        """Return the attack that the aimed legion or galley would make, or None."""
        action = None if self._dropping else self.draft.action()
        return None if action is None else self.rules.threat(self.desk.table, self.desk.seat, action)

    def lit(self) -> Mapping[Space, Tint]:
        pick, table = self.draft.pick, self.desk.table
        if pick is None:
            return {}
        lit: dict[Space, Tint] = {}
        for to in self.draft.targets():
            space = BOARD.ashore[to]
            lit[space] = FIGHT if self.rules.clash(table, self.desk.seat, space) else GO
        if isinstance(pick, Legion):
            lit[pick.source] = HERE
        return lit

    def glow(self) -> frozenset[Pick]:
        table, seat, pick = self.desk.table, self.desk.seat, self.draft.pick
        if isinstance(pick, Legion):
            found = {Pick("leader", pick.source, seat, leader) for leader in pick.leaders}
            return frozenset(found | {Pick("army", pick.source, seat)} if any(pick.units) else found)
        if isinstance(pick, SailDraft):
            return frozenset({Pick("galley", table.galley_at[pick.galley], seat, pick.galley)})
        found = {
            Pick("leader", space, seat, leader)
            for space in movable(table, seat, self.rules)
            for leader in marchers(table, seat, space, self.rules)
        }
        return frozenset(
            found | {Pick("galley", table.galley_at[g], seat, g) for g in sailors(table, seat, self.rules)}
        )

    def ghosts(self) -> Sequence[Token]:
        pick = self.draft.pick
        if not isinstance(pick, SailDraft):
            return signs(self.desk.table, self.lit())
        targets = self.draft.targets()
        sea = {space: tint for space, tint in self.lit().items() if space in targets and BOARD.is_sea(space)}
        return signs(self.desk.table, sea) + berths([to for to in targets if not BOARD.is_sea(to)], self.desk.seat)

    def arrow(self) -> Sequence[Point]:
        pick, shape = self.draft.pick, geography()
        if isinstance(pick, SailDraft) and pick.to != NONE:
            return [shape.place(self.desk.table.galley_at[pick.galley]), shape.place(pick.to)]
        if isinstance(pick, Legion) and (pick.to != NONE or pick.drops):
            stops = [pick.source, *[drop[0] for drop in pick.drops], *([pick.to] if pick.to != NONE else [])]
            return [shape.heart(space) for space in stops]
        return ()

    # Actions

    def click(self, hit: Hit) -> bool:
        self.forget_question()
        if self._dropping:
            return False
        draft, pick = self.draft, self.draft.pick
        if pick is not None and self._aim(hit):  # First: a click on own pieces at the target means to join them.
            return True
        if hit.pick is not None and hit.pick.seat == self.desk.seat and hit.pick.kind == "galley":
            self._take(("galley", hit.pick.piece))
            return True
        if hit.pick is not None and hit.pick.kind == "leader" and draft.can_toggle(hit.pick.piece):
            self._toggle(hit.pick.piece)
            return True
        if 0 <= hit.space < BOARD.provinces and hit.space in movable(self.desk.table, self.desk.seat, self.rules):
            leader = hit.pick.piece if hit.pick is not None and hit.pick.kind == "leader" else NONE
            self._take(("province", hit.space), leader)
            return True
        if isinstance(pick, Legion) and 0 <= hit.space < BOARD.provinces and hit.space != pick.source:
            refusal = draft.why_not(hit.space)
            if refusal is not None:
                self.desk.refuse(refusal)
            return True
        if 0 <= hit.space < BOARD.provinces and self.desk.seat in self.desk.table.units[hit.space][::4]:
            self._take(("province", hit.space))  # They cannot march; the attempt tells why.
            return True
        return self._send_only(hit)  # A click that means nothing keeps what is picked.

    def _send_only(self, hit: Hit) -> bool:
        """Aim the only legion that can move at the clicked province, though it was not picked up before."""
        able = list(movable(self.desk.table, self.desk.seat, self.rules))
        if self.draft.pick is not None or len(able) != 1 or not 0 <= hit.space < BOARD.provinces:
            return False
        if self.draft.pick_province(able[0]) is None and self._aim(hit):
            self._last = ("province", able[0])
            return True
        self.draft.put_down()
        return False

    def _aim(self, hit: Hit) -> bool:
        """Aim at the clicked target, or send the pick if it is aimed there already."""
        pick, draft = self.draft.pick, self.draft
        if pick is None:
            return False
        mine = hit.pick is not None and hit.pick.kind == "galley" and hit.pick.seat == self.desk.seat
        if mine and hit.pick is not None and not (isinstance(pick, SailDraft) and pick.galley == hit.pick.piece):
            return False  # Another galley is picked up instead, even in a lit place.
        to = self._position(hit) if isinstance(pick, SailDraft) else hit.space
        if to == NONE or to not in draft.targets():
            return False
        if to == pick.to:
            return self.confirm()
        draft.aim(to)
        self.desk.changed()
        return True

    def _position(self, hit: Hit) -> Position:
        """Return the position meant by a click: a ghost's, a sea zone, or the nearest coast of the province."""
        if hit.pick is not None and hit.pick.kind == "galley":
            return hit.pick.place
        found = [to for to in self.draft.targets() if BOARD.ashore[to] == hit.space]
        place = geography().place
        return min(found, key=lambda to: hypot(place(to)[0] - hit.at[0], place(to)[1] - hit.at[1]), default=NONE)

    def confirm(self) -> bool:
        if self._dropping:
            return self._leave_drop()
        action = self.draft.action()
        if action is None:
            return False
        self._sent = action
        return self.desk.act(action)

    def undo(self) -> bool:
        if self.forget_question():
            pass
        elif self._dropping:
            self._dropping = False
        elif self.draft.can_undo:
            self.draft.undo()
        else:
            return False
        self.desk.changed()
        return True

    def clear(self) -> bool:
        picked = self.draft.pick is not None or self._dropping
        self.draft.put_down()
        self._dropping = False
        self.desk.changed()
        return picked

    def next(self) -> bool:
        self.forget_question()
        return self._take(next_stop(self.desk.table, self.desk.seat, self._last, self.rules))

    def ending(self) -> Action | None:
        return EndMovement()

    def hasty(self) -> bool:
        """Whether ending now wastes a move."""
        return bool(self._unmoved_words())

    def _unmoved_words(self) -> list[str]:
        """Return where legions could still march, and laden galleys sail."""
        table, seat, rules = self.desk.table, self.desk.seat, self.rules
        legions = [BOARD.names[space] for space in movable(table, seat, rules) if any(ready(table, seat, space))]
        laden = [galley for galley in sailors(table, seat, rules) if table.cargo[galley]]
        ships = [where_words(table.galley_at[galley]) for galley in laden]
        return [*legions, *[_("a galley at {where}", where=where) for where in dict.fromkeys(ships)]]

    def _toggle(self, leader: int) -> None:
        self.draft.toggle(leader)
        self.desk.changed()

    def _add(self, arm: int, by: int) -> None:
        pick = self.draft.pick
        if pick is not None:
            self.draft.set_units(arm, pick.units[arm] + by)
            self.desk.changed()

    def _add_tired(self, by: int) -> None:
        pick = self.draft.pick
        if isinstance(pick, Legion):
            self.draft.set_tired(pick.tired + by)
            self.desk.changed()

    def _stop_over(self) -> None:
        self._dropping, self._drop = True, NO_ARMY
        self.desk.changed()

    def _set_drop(self, arm: int, by: int) -> None:
        carried, there = self.draft.drop_room()
        counts = list(self._drop)
        counts[arm] = min(carried[arm], max(-there[arm], counts[arm] + by))
        self._drop = counts[0], counts[1], counts[2]
        self.desk.changed()

    def _leave_drop(self) -> bool:
        refusal = self.draft.leave(self._drop)
        if refusal is not None:
            self.desk.refuse(refusal)
            return True
        self._dropping = False
        self.desk.changed()
        return True
