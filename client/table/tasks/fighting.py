"""Combat: which battle, which legion, which losses, on or back, and what becomes of captives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from client.narration import leader_title
from client.table.dock import Choice
from client.table.ground import Tint
from client.table.match import Desk
from client.table.orders import Share, Tally
from client.table.pieces import ARMS
from client.table.tasks.base import FIGHT, GO, HERE, Hit, Task, chosen_kind, count_words
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total, words
from shared.rulesets.classic.actions import EndCombat, Fight, Form, Judge, Lose, Retreat, Sink, Stand, Withdraw
from shared.rulesets.classic.frames import Captives, Casualties, Combat, Formation, Onward, Sinking, Withdrawal
from shared.rulesets.classic.state import ABOARD, LEADERS, army_of, galleys_at, leaders_at
from shared.rulesets.classic.war import naval_targets, retreat_targets

if TYPE_CHECKING:
    from client.table.dock import Dock

_FORM_ORDER: Final = (0, 1, 2)
_LOSS_ORDER: Final = (0, 1, 2)
_PREY_ORDER: Final = (2, 1, 0)


class ChoosingBattle(Task):
    """Which battle comes next."""

    end_words = "No battle at sea"

    def __init__(self, desk: Desk, frame: Combat) -> None:
        super().__init__(desk)
        self._frame = frame
        self._at = 0

    def _battles(self) -> list[tuple[Space, Seat]]:
        pending = self._frame.pending
        must = list(zip(pending[::2], pending[1::2], strict=True))
        return must + naval_targets(self.desk.table, self._frame)

    def renew(self) -> None:
        frame = self.desk.table.frames[-1]
        if isinstance(frame, Combat):
            self._frame = frame

    def line(self) -> str:
        if self._frame.pending:
            count = len(self._frame.pending) // 2
            return f"{count_words(count, 'battle', 'battles')} to fight. Choose the next one."
        return "You may attack galleys in the same waters."

    def build(self, dock: Dock) -> None:
        for i, (space, enemy) in enumerate(self._battles()):
            kind = chosen_kind(i == self._at)
            words = f"{BOARD.names[space]}: {self.desk.who(enemy)}"
            dock.option(Choice(words, partial(self._fight, i), kind, "Fight this battle next"), 250)

    def buttons(self) -> Sequence[Choice]:
        found = [Choice("Fight!", self.confirm, "primary", "Enter")]
        if not self._frame.pending:
            found.append(self.end_choice())
        return found

    def lit(self) -> Mapping[Space, Tint]:
        battles = self._battles()
        lit = {space: FIGHT for space, _ in battles}
        if battles:
            lit[battles[self._at % len(battles)][0]] = HERE
        return lit

    def click(self, hit: Hit) -> bool:
        for i, (space, enemy) in enumerate(self._battles()):
            if space == hit.space and (hit.pick is None or hit.pick.seat in (enemy, self.desk.seat)):
                if i == self._at:
                    return self._fight(i)
                self._at = i
                self.desk.changed()
                return True
        return False

    def _fight(self, index: int) -> bool:
        return self.desk.act(Fight(*self._battles()[index]))

    def confirm(self) -> bool:
        battles = self._battles()
        return bool(battles) and self._fight(self._at % len(battles))

    def next(self) -> bool:
        self._at = (self._at + 1) % max(1, len(self._battles()))
        self.desk.look_at([self._battles()[self._at][0]])
        self.desk.changed()
        return True

    def ending(self) -> Action | None:
        return None if self._frame.pending else EndCombat()


class Sharing(Task):
    """A battle legion, or losses: exactly so many units out of an army."""

    def __init__(self, desk: Desk, frame: Formation | Casualties) -> None:
        super().__init__(desk)
        self._frame = frame
        if isinstance(frame, Formation):
            self.share = Share(army_of(desk.table.units[frame.space], frame.seat), frame.size)
            self.share.suggest(_FORM_ORDER)
        else:
            self.share = Share(frame.legion, frame.hits)
            self.share.suggest(_LOSS_ORDER if frame.owner == frame.seat else _PREY_ORDER)

    def line(self) -> str:
        share, frame = self.share, self._frame
        more = f" Choose {share.missing} more." if share.missing else ""
        if isinstance(frame, Formation):
            return f"Battle legion: {words(share.chosen)}.{more}"
        if frame.owner != frame.seat:
            return f"Caught: {words(share.chosen)} of {self.desk.who(frame.owner)}.{more}"
        return f"Your losses: {words(share.chosen)}.{more}"

    def build(self, dock: Dock) -> None:
        share = self.share
        seat = self._frame.owner if isinstance(self._frame, Casualties) else self._frame.seat
        if total(share.whole) > 16:
            for arm in range(3):
                if share.whole[arm]:
                    dock.stepper(
                        f"{ARMS[arm]}_{seat}",
                        share.chosen[arm],
                        f"of {share.whole[arm]}",
                        partial(self._step, arm),
                        more=share.chosen[arm] < share.whole[arm],
                    )
            return
        width = dock.room_for(total(share.whole), 58)
        caption = "fights" if isinstance(self._frame, Formation) else "falls"
        for arm in range(3):
            for i in range(share.whole[arm]):
                on = i < share.chosen[arm]
                dock.figure(
                    f"{ARMS[arm]}_{seat}",
                    caption if on else "",
                    on,
                    partial(self._step, arm, -1 if on else 1),
                    width=width,
                )

    def buttons(self) -> Sequence[Choice]:
        words = "To battle" if isinstance(self._frame, Formation) else "Confirm losses"
        return (Choice(words, self.confirm, "primary", "Enter", self.share.complete),)

    def lit(self) -> Mapping[Space, Tint]:
        return {self._frame.space: HERE}

    def _step(self, arm: int, by: int) -> None:
        if by > 0:
            self.share.add(arm)
        else:
            self.share.remove(arm)
        self.desk.changed()

    def confirm(self) -> bool:
        if not self.share.complete:
            return False
        counts = self.share.chosen
        return self.desk.act(Form(*counts) if isinstance(self._frame, Formation) else Lose(*counts))

    def undo(self) -> bool:
        suggested = Share(self.share.whole, self.share.size)
        suggested.suggest(_FORM_ORDER)
        changed = self.share.chosen != suggested.chosen
        self.share = suggested
        self.desk.changed()
        return changed


class Leaving(Task):
    """Fight on or retreat; or, for leaders left alone, where to go."""

    def __init__(self, desk: Desk, frame: Onward | Withdrawal) -> None:
        super().__init__(desk)
        self._frame = frame
        self._to = NONE
        self._doomed = False
        self._targets = retreat_targets(desk.table, frame.seat, frame.space)

    def line(self) -> str:
        if not self._targets:
            fate = (
                "all units are lost and the leaders captured"
                if isinstance(self._frame, Onward)
                else "they are captured"
            )
            return f"Surrounded! There is no way out: in a retreat {fate}."
        if self._to != NONE:
            return f"Retreat to {BOARD.names[self._to]}?"
        return "Another round, or a retreat?" if isinstance(self._frame, Onward) else "Where do your leaders go?"

    def build(self, dock: Dock) -> None:
        for to in self._targets:
            kind = chosen_kind(to == self._to)
            dock.option(
                Choice(
                    f"To {BOARD.names[to]}",
                    partial(self._aim, to),
                    kind,
                    "All survivors go there; the enemy's horsemen pursue.",
                ),
                200,
            )
        if not self._targets:
            words = "Really give up?" if self._doomed else "Give up the legion"
            dock.option(Choice(words, self._give_up, "danger", "Nothing would come back."), 220)

    def buttons(self) -> Sequence[Choice]:
        found: list[Choice] = []
        if self._to != NONE:
            found.append(Choice(f"Retreat to {BOARD.names[self._to]}", self.confirm, "danger", "Enter"))
            found.append(Choice("Back", self.undo, "quiet", "Esc"))
        elif isinstance(self._frame, Onward):
            found.append(Choice("Fight on", self.confirm, "primary", "Enter"))
        return found

    def lit(self) -> Mapping[Space, Tint]:
        return {**dict.fromkeys(self._targets, GO), self._frame.space: HERE}

    def click(self, hit: Hit) -> bool:
        if hit.space not in self._targets:
            return False
        if hit.space == self._to:
            return self.confirm()
        self._aim(hit.space)
        return True

    def _aim(self, to: Space) -> None:
        self._to = to
        self.desk.changed()

    def _give_up(self) -> None:
        if self._doomed:
            self.desk.act(Retreat(NONE) if isinstance(self._frame, Onward) else Withdraw(NONE))
        self._doomed = True
        self.desk.changed()

    def confirm(self) -> bool:
        if self._to != NONE:
            to = self._to
            return self.desk.act(Retreat(to) if isinstance(self._frame, Onward) else Withdraw(to))
        return isinstance(self._frame, Onward) and self.desk.act(Stand())

    def undo(self) -> bool:
        picked = self._to != NONE or self._doomed
        self._to, self._doomed = NONE, False
        self.desk.changed()
        return picked


class Judging(Task):
    """Captured generals: held for ransom, or killed."""

    def __init__(self, desk: Desk, frame: Captives) -> None:
        super().__init__(desk)
        self.tally = Tally(frame.leaders)

    def line(self) -> str:
        dead = len(self.tally.chosen)
        if not dead:
            return "All captives are held for ransom. Click those who shall die."
        return f"{count_words(dead, 'general dies', 'generals die')}; the others are held for ransom."

    def build(self, dock: Dock) -> None:
        width = dock.room_for(len(self.tally.pieces), 92)
        for leader in self.tally.pieces:
            dies = leader in self.tally.chosen
            colour = leader // LEADERS
            dock.figure(
                f"general_{colour}",
                "dies" if dies else "held",
                dies,
                partial(self._toggle, leader),
                tip=f"A general of {self.desk.who(colour)}",
                width=width,
            )

    def buttons(self) -> Sequence[Choice]:
        words = "Hold them all" if not self.tally.chosen else "So be it"
        return (Choice(words, self.confirm, "danger" if self.tally.chosen else "primary", "Enter"),)

    def _toggle(self, leader: int) -> None:
        self.tally.toggle(leader)
        self.desk.changed()

    def confirm(self) -> bool:
        return self.desk.act(Judge(self.tally.chosen))

    def undo(self) -> bool:
        chosen = bool(self.tally.chosen)
        self.tally.chosen = ()
        self.desk.changed()
        return chosen


class Scuttling(Task):
    """Which galleys sink."""

    def __init__(self, desk: Desk, frame: Sinking) -> None:
        super().__init__(desk)
        self._frame = frame
        fleet = galleys_at(desk.table, frame.seat, frame.zone)
        self.tally = Tally(tuple(sorted(fleet, key=self._worth)))
        self.tally.chosen = self.tally.pieces[: frame.hits]

    def _worth(self, galley: int) -> tuple[bool, int]:
        return ABOARD + galley in self.desk.table.leader_at, sum(self.desk.table.cargo[galley])

    def line(self) -> str:
        missing = self._frame.hits - len(self.tally.chosen)
        return f"{count_words(self._frame.hits, 'galley sinks', 'galleys sink')}" + (
            f": choose {missing} more." if missing else ", with all aboard."
        )

    def build(self, dock: Dock) -> None:
        table, seat = self.desk.table, self._frame.seat
        width = dock.room_for(len(self.tally.pieces), 92)
        for galley in self.tally.pieces:
            aboard = leaders_at(table, seat, ABOARD + galley)
            load = f"{sum(table.cargo[galley])} units" if table.cargo[galley] else "empty"
            tip = ", ".join(leader_title(x) for x in aboard)
            dock.figure(
                f"galley_{seat}",
                "sinks" if galley in self.tally.chosen else load,
                galley in self.tally.chosen,
                partial(self._toggle, galley),
                width=width,
                tip=f"Aboard: {tip or 'nobody'}, {load}",
            )

    def buttons(self) -> Sequence[Choice]:
        return (Choice("So be it", self.confirm, "primary", "Enter", len(self.tally.chosen) == self._frame.hits),)

    def lit(self) -> Mapping[Space, Tint]:
        return {self._frame.zone: HERE}

    def _toggle(self, galley: int) -> None:
        self.tally.toggle(galley, self._frame.hits)
        self.desk.changed()

    def confirm(self) -> bool:
        return len(self.tally.chosen) == self._frame.hits and self.desk.act(Sink(self.tally.chosen))
