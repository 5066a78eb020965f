"""Battles at a human pace: every change of a battle becomes a beat, shown one after the other. Knows no window."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from shared.ids import NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.armies import minus, total
from shared.mechanics.battledice import DIE
from shared.rulesets.classic import events as e
from shared.rulesets.classic.frames import Battle, Naval, Pursuit
from shared.rulesets.classic.state import Table, army_of, galleys_at, leaders_at

TUMBLE: Final = 0.85
"""Seconds until the dice lie still."""
_DICE: Final = 1.7
_OPENING: Final = 0.8
_LOSSES: Final = 0.7
_ENDING: Final = 2.2
_LOOKING_ON: Final = 0.65
"""How much faster battles go in which one takes no part."""
_OVER_ON_LAND: Final = 14
_OVER_AT_SEA: Final = 5
"""Stages of the frames `Battle` and `Naval` from which on nothing is fought any more."""
_MOST: Final = 16
"""Beats that wait at most; older ones are not shown any more."""
_HURRY: Final = 5
"""With so many beats waiting, they go three times as fast."""


class Side(Struct, frozen=True):
    """One side of a battle. `legion`: its battle legion, once formed; `down`: those of it laid down."""

    seat: Seat
    leaders: tuple[Leader, ...]
    legion: Army
    reserve: Army
    down: Army
    galleys: tuple[int, ...]
    formed: bool


class Fight(Struct, frozen=True):
    """A battle as it stands."""

    space: Space
    naval: bool
    round: int
    attacker: Side
    defender: Side
    pursuit: bool


class Roll(Struct, frozen=True):
    """Dice that fell. `scoring`: for each die, whether it hit."""

    seat: Seat
    faces: tuple[str, ...]
    scoring: tuple[bool, ...]
    hits: int


class Beat(Struct, frozen=True):
    """One step of the show."""

    fight: Fight
    seconds: float
    roll: Roll | None = None
    verdict: str = ""
    winner: Seat = NONE


def read(table: Table) -> Fight | None:
    """The battle that is going on, or None; one whose captives are still to be judged is over."""
    for frame in reversed(table.frames):
        if isinstance(frame, Battle) and frame.stage < _OVER_ON_LAND:
            chased = any(isinstance(f, Pursuit) for f in table.frames)
            return Fight(
                frame.space, False, frame.round, _land_side(table, frame, True), _land_side(table, frame, False), chased
            )
        if isinstance(frame, Naval) and frame.stage < _OVER_AT_SEA:
            sides = [_sea_side(table, frame.zone, seat) for seat in (frame.attacker, frame.defender)]
            return Fight(frame.zone, True, frame.round, sides[0], sides[1], False)
    return None


def _land_side(table: Table, frame: Battle, attacking: bool) -> Side:
    seat = frame.attacker if attacking else frame.defender
    army = army_of(table.units[frame.space], seat)
    formed = (4 if attacking else 2) <= frame.stage <= 9
    legion = (frame.attacking if attacking else frame.defending) if formed else NO_ARMY
    down = frame.down if not attacking and formed else NO_ARMY
    reserve = minus(army, legion)
    if min(reserve) < 0:
        legion, reserve, formed = NO_ARMY, army, False
    return Side(seat, leaders_at(table, seat, frame.space), legion, reserve, down, (), formed)


def _sea_side(table: Table, zone: Space, seat: Seat) -> Side:
    return Side(seat, (), NO_ARMY, NO_ARMY, NO_ARMY, galleys_at(table, seat, zone), True)


def scored(faces: Sequence[int], fight: Fight, seat: Seat, hits: int) -> Roll:
    """Which dice hit: those that find a unit of their kind, as many as count."""
    side = fight.attacker if seat == fight.attacker.seat else fight.defender
    room = {"galley": 99} if fight.naval else _land_room(side, fight.pursuit)
    scoring: list[bool] = []
    for face in faces:
        name = DIE[face]
        good = room.get(name, 0) > 0 and sum(scoring) < hits
        if good:
            room[name] -= 1
        scoring.append(good)
    return Roll(seat, tuple(DIE[face] for face in faces), tuple(scoring), hits)


def _land_room(side: Side, pursuit: bool) -> dict[str, int]:
    if pursuit:
        return {"cavalry": side.legion[1] + side.reserve[1]}
    legion = side.legion if side.formed else side.reserve
    return {"infantry": legion[0], "cavalry": legion[1], "catapult": side.legion[2] + side.reserve[2]}


class Theatre:
    """See the module's docstring. `heed` once per version; `beat` is what to show now."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.beat: Beat | None = None
        self.age = 0.0
        self._waiting: deque[Beat] = deque()

    def heed(self, before: Table | None, after: Table, events: Sequence[Event], words: Sequence[str]) -> None:
        """A version came. `words`: the events' lines, for verdicts."""
        fight = read(after) or (read(before) if before is not None else None)
        if fight is None:
            return
        told = False
        verdicts: list[str] = []
        winner = NONE
        for event, line in zip(events, words, strict=True):
            match event:
                case e.BattleBegan():
                    verdicts, told = [], False
                    self._queue(Beat(fight, _OPENING, verdict=line))
                case e.DiceFell():
                    shown = (read(before) if before is not None else None) or fight
                    self._queue(Beat(shown, _DICE, scored(event.faces, shown, event.seat, event.hits)))
                case e.BattleEnded():
                    told, winner = True, event.winner
                    verdicts.append(line)
                case e.Captured() | e.Retreated() | e.Conquered() | e.Eliminated():
                    verdicts.append(line)
                case _:
                    pass
        if told:
            self._queue(Beat(fight, _ENDING, verdict=" ".join(verdicts[:3]), winner=winner))
        elif read(after) is not None:
            self._queue(Beat(fight, _LOSSES if _lost(before, after) else 0.0))

    def _queue(self, beat: Beat) -> None:
        self._waiting.append(beat)
        while len(self._waiting) > _MOST:
            self._waiting.popleft()
        if self.beat is None:
            self._next()

    @property
    def busy(self) -> bool:
        """Whether something is still to be seen before the battle stands as it is now."""
        return bool(self._waiting) or (self.beat is not None and self.age < self._length(self.beat))

    def _length(self, beat: Beat) -> float:
        mine = self.seat in (beat.fight.attacker.seat, beat.fight.defender.seat)
        return beat.seconds * (1.0 if mine else _LOOKING_ON) / (3.0 if len(self._waiting) > _HURRY else 1.0)

    def _next(self) -> None:
        self.beat = self._waiting.popleft()
        self.age = 0.0

    def update(self, seconds: float, current: Table) -> None:
        """Time passes."""
        if self.beat is None:
            return
        self.age += seconds
        if self.age < self._length(self.beat):
            return
        if self._waiting:
            self._next()
        elif read(current) is None:
            self.beat = None

    def skip(self) -> bool:
        """Show how it stands now; False where nothing was left to show."""
        if not self.busy:
            return False
        if self._waiting:
            self.beat = self._waiting[-1]
            self._waiting.clear()
        if self.beat is not None:
            self.age = self.beat.seconds
        return True


def _lost(before: Table | None, after: Table) -> bool:
    """Whether units fell between two versions of a battle."""
    old, new = read(before) if before is not None else None, read(after)
    if old is None or new is None:
        return False
    return any(
        total(a.legion) + total(a.reserve) != total(b.legion) + total(b.reserve)
        for a, b in ((old.attacker, new.attacker), (old.defender, new.defender))
    )
