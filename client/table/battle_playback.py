"""Battles at a human pace: each change of a battle becomes a step, and the steps are shown one after the other. Knows
no window."""

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Final, Generic, Protocol, Self, TypeAlias, TypeVar

from arcade.types import Rect
from msgspec import Struct
from msgspec.structs import replace

from client.player.settings import PlaySettings
from client.sound.sounds import Sound
from client.table.battlefield import land
from client.table.odds_description import BattleOdds
from client.table.position import T
from shared.board import BOARD
from shared.ids import GALLEY, NONE, Leader, Seat, Space
from shared.kernel.frames import Event
from shared.odds.outcome import Odds
from shared.vocabulary import events as e

TUMBLE: Final = 0.85
"""Seconds until the dice lie still."""
_DICE: Final = 1.7
_OPENING: Final = 1.5
_LOSSES: Final = 1.25
_ENDING: Final = 2.2
_CAESAR: Final = 4.0
"""Seconds for which a step is shown: falling dice, the beginning, losses, the end, and the end of a Caesar."""
ARRIVING: Final = 1.4
STRIKING: Final = 0.5
FALLING: Final = 1.0
"""Seconds of a step until both armies stand, until hits have reached their targets, and until these lie."""
_LAND_SOUNDS: Final[Mapping[str, Sound]] = {
    "city": Sound.STREETS, "coast": Sound.SURF, "desert": Sound.WIND, "mountains": Sound.WIND, "sea": Sound.SURF,
}  # fmt: skip
"""Sounds of lands, as the armies arrive there."""
_SKIRMISH: Final = 3
"""Largest number of units and leaders on both sides of a skirmish."""
_LOOKING_ON: Final = 1.5
"""Factor by which battles without this seat are faster, while dice fall and at the end."""
_PASSING: Final = 3.3
"""The same factor for all other steps."""
_MOST: Final = 24
"""Largest number of waiting steps; the oldest beyond it are dropped."""
_MANY: Final = 12
"""Number of waiting steps from which on they are hurried."""
_BEHIND: Final = 1.2
"""Seconds that waiting steps of others' battles should take: the more they exceed it, the faster they go."""
_HURRY: Final = 3.0
"""Factor by which hurried steps are faster."""
_BRIEF: Final = 3.0
"""Factor by which a skirmish is faster, so that one of a round takes two seconds."""

Target: TypeAlias = tuple[int, int]
"""A target: a kind of unit and a galley."""
Spot: TypeAlias = tuple[Rect, Target]
Lost: TypeAlias = Mapping[tuple[Seat, int], int]
"""Number of units lost in a battle, by their owner and kind (0 to 3: infantry, cavalry, catapults, galleys)."""


class Ceremony(Enum):
    """Size of the display of a battle."""

    SKIRMISH = auto()
    BATTLE = auto()
    CAESAR = auto()


class Block(Struct, frozen=True):
    """Units of one owner and kind on one side.

    `count`: those that stand, `down` of them laid down. `words`, `why`: a note below them, and its reason. `free`: they
    can be fired at; `lit`: they are the declared target. `helps`: they are not the side's own, or wait in reserve.
    """

    owner: Seat
    kind: int
    count: int
    down: int = 0
    words: str = ""
    why: str = ""
    free: bool = False
    lit: bool = False
    helps: str = ""


class Note(Struct, frozen=True):
    """Line about a side. `asked`: the seat that must answer it, or NONE; `strong`: in bold letters."""

    words: str
    strong: bool = False
    asked: Seat = NONE


class BattleSide(Protocol):
    """Side of a battle, in any game."""

    @property
    def seat(self) -> Seat:
        """The seat that leads it."""

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its leaders."""

    @property
    def owners(self) -> Sequence[Seat]:
        """Seats whose units fight on it."""


class AnyBattle(Protocol):
    """A battle as it stands, in any game."""

    @property
    def space(self) -> Space:
        """The space in which it is fought."""

    @property
    def round(self) -> int:
        """The round of battle."""

    @property
    def built(self) -> int:
        """Building of the defender there: nothing (0), a city (1), or a city with walls (2)."""

    @property
    def attacker(self) -> BattleSide:
        """The side that came."""

    @property
    def defender(self) -> BattleSide:
        """The side that was there."""

    def in_round(self, number: int) -> Self:
        """Return the same battle in another round."""


F = TypeVar("F", bound=AnyBattle)


class FallenDice(Struct, frozen=True):
    """Dice that fell, as names of pictures. `die`: all faces of such a die. `scoring`: for each, whether it hit.
    `words`: the result."""

    seat: Seat
    faces: tuple[str, ...]
    scoring: tuple[bool, ...]
    hits: int
    die: tuple[str, ...]
    words: str


class PlaybackStep(Struct, Generic[F], frozen=True):
    """A step of the playback.

    `roll`: dice that fall now; `lying`: earlier dice of this round. `odds`: the odds before this step. `sound`: played
    as it begins. `lost`: all units that have fallen so far; `before`: those that had fallen before this step.
    `camps`: the side (0: the attacker's) on which the units of each seat fought. `arrives`: the armies march onto the
    field.
    """

    fight: F
    seconds: float
    roll: FallenDice | None = None
    verdict: str = ""
    winner: Seat = NONE
    lying: tuple[FallenDice, ...] = ()
    odds: Odds | None = None
    sound: Sound | None = None
    lost: Lost = {}
    before: Lost = {}
    camps: Mapping[Seat, int] = {}
    arrives: bool = False
    ceremony: Ceremony = Ceremony.BATTLE


class OutcomeEvent(Struct, frozen=True):
    """Meaning of an event whose line tells the outcome of a battle. `over`: the battle ended there; `winner`: the seat
    that won, or NONE. `caesar`: a Caesar fell."""

    over: bool = False
    winner: Seat = NONE
    caesar: bool = False


def _lost(event: Event) -> Lost:
    """Return the units that an event of the games of conquest says are lost."""
    match event:
        case e.Fell(seat=seat, army=army):
            return {(seat, arm): count for arm, count in enumerate(army)}
        case e.Sank(seat=seat, space=space, galleys=galleys) if BOARD.is_sea(space):  # Not those on a lost shore.
            return {(seat, GALLEY): len(galleys)}
        case _:
            return {}


class BattleScene(Struct, Generic[T, F], frozen=True):
    """Display of battles of one game.

    `verdict`: of an event that tells the outcome of a battle, else None. `read`: the battle in progress in a position,
    or None. `roll`: dice that fell in it. `after`: the battle after an event that is not shown by itself. `pause`:
    seconds for which an event of this game is shown with its words. `changed`: whether units fell between two states.
    `title`: its name. `blocks`: the units of a side, those in front first. `notes`: lines about a side. `leaders`:
    number per colour. `strangers`: names of fighters that belong to no player. `lost`: units that an event takes.
    """

    verdict: Callable[[Event], OutcomeEvent | None]
    read: Callable[[T], F | None]
    roll: Callable[[e.DiceFell, F], FallenDice]
    after: Callable[[F, Event], F]
    pause: Callable[[Event], float]
    changed: Callable[[F, F], bool]
    title: Callable[[F], str]
    blocks: Callable[[PlaybackStep[F], Seat], list[Block]]
    notes: Callable[[PlaybackStep[F], Seat], list[Note]]
    leaders: int
    battle_odds: BattleOdds[T]
    strangers: Mapping[Seat, str] = {}
    lost: Callable[[Event], Lost] = _lost


class _Course(Struct, Generic[F]):
    """Course of a battle within one version, as far as it is told. `over`: it ended; `rolled`: dice fell."""

    fight: F
    verdicts: list[str]
    winner: Seat = NONE
    over: bool = False
    rolled: bool = False
    caesar: bool = False


class BattlePlayback(Generic[T, F]):
    """Queue of the steps of battles, shown one after the other.

    Call `hear` once per version; `beat` is the step to show now. `play`: plays a sound. `play_settings`: the player's
    settings.
    """

    def __init__(
        self, seat: Seat, battle_scene: BattleScene[T, F], play: Callable[[Sound], object] = lambda sound: None,
        play_settings: PlaySettings | None = None,
    ) -> None:  # fmt: skip
        self.seat = seat
        self._play_settings = play_settings or PlaySettings()
        self.battle_scene = battle_scene
        self._play = play
        self.beat: PlaybackStep[F] | None = None
        self.age = 0.0
        """Elapsed seconds of the step; they pass faster where it is hurried."""
        self._waiting: deque[PlaybackStep[F]] = deque()
        self._lying: tuple[FallenDice, ...] = ()
        """The dice of the present round that have been shown so far."""
        self._odds: Odds | None = None
        """The odds of the battle at the step that is queued now."""
        self._lost: Counter[tuple[Seat, int]] = Counter()
        """The units that fell in the battle so far."""
        self._camps: dict[Seat, int] = {}
        self._ceremony = Ceremony.BATTLE

    def hear(
        self, before: T | None, after: T, events: Sequence[Event], words: Sequence[str],
        sounds: Sequence[Sound | None] = (),
    ) -> list[Sound | None]:  # fmt: skip
        """Queue the steps of a new version.

        `words`: the events' lines, for verdicts; `sounds`: their sounds or None. Return the sounds of events that are
        not shown by themselves.
        """
        sounds = sounds or [None] * len(events)
        old, new = self.battle_scene.read(before) if before is not None else None, self.battle_scene.read(after)
        # A battle that ended within this version is no longer in the position, so the last known state is shown.
        fight = new if new is not None else old
        if fight is None:
            return list(sounds)
        rest: list[Sound | None] = []
        course = _Course(fight if old is None else old, [])
        for event, line, sound in zip(events, words, sounds, strict=True):
            if isinstance(event, e.BattleBegan):
                self._odds = self._at_first(before, event)
            if not self._show_battle_event(course, event, line, fight, sound):
                rest.append(sound)
        if course.over:
            self._odds = None
            self._end(course.fight if new is None else fight, course)
        elif new is not None:
            self._odds = self.battle_scene.battle_odds.standing(after)
            self._stands(old, new, course.rolled)
        return rest

    def _at_first(self, before: T | None, event: e.BattleBegan) -> Odds | None:
        """Return the odds as a battle begins: with the forces that both have there, before others join."""
        if before is None or max(event.attacker, event.defender) >= before.seats:
            return None
        present, naval = self.battle_scene.battle_odds.present, event.space >= len(before.units)
        hosts = [present(before, seat, event.space, naval) for seat in (event.attacker, event.defender)]
        return self.battle_scene.battle_odds.odds(hosts[0], hosts[1], naval)

    def _show_battle_event(self, course: _Course[F], event: Event, line: str, fight: F, sound: Sound | None) -> bool:
        """Handle an event of a battle; return whether it is shown by itself. `fight`: the present battle, or the last
        one."""
        match event:
            case e.BattleBegan():
                self._begin(course, line, fight, sound)
            case e.DiceFell():
                course.rolled = True
                self._queue_dice(course.fight, self.battle_scene.roll(event, course.fight), sound)
            case _:
                return self._judged(course, event, line, sound)
        return True

    def _begin(self, course: _Course[F], line: str, fight: F, sound: Sound | None) -> None:
        if course.over:
            self._end(course.fight, course)
        course.fight, course.verdicts, course.over, self._lying = fight, [], False, ()
        self._lost, self._camps = Counter(), {}
        self._ceremony = Ceremony.SKIRMISH if self._strength(fight) <= _SKIRMISH else Ceremony.BATTLE
        self._queue(PlaybackStep(fight, _OPENING, verdict=line, sound=sound, arrives=True))

    def _strength(self, fight: F) -> int:
        """Return the number of units and leaders on both sides."""
        step = PlaybackStep(fight, 0.0)
        sides = (fight.attacker, fight.defender)
        units = sum(block.count for side in sides for block in self.battle_scene.blocks(step, side.seat))
        return units + sum(len(side.leaders) for side in sides)

    def _judged(self, course: _Course[F], event: Event, line: str, sound: Sound | None) -> bool:
        """Handle an event that tells the outcome of a battle or changes it; return whether it is shown by itself."""
        verdict = self.battle_scene.verdict(event)
        self._lost.update({unit: count for unit, count in self.battle_scene.lost(event).items() if count})
        if verdict is not None:
            course.verdicts.append(line)
            course.caesar |= verdict.caesar
            if verdict.over:
                course.over, course.winner = True, verdict.winner
            return False
        course.fight = self.battle_scene.after(course.fight, event)
        pause = self.battle_scene.pause(event)
        if pause:
            self._queue(PlaybackStep(course.fight, pause, verdict=line, sound=sound))
        return bool(pause)

    def _stands(self, old: F | None, new: F, rolled: bool) -> None:
        """Queue the present state of the battle; `rolled`: whether dice fell since the last state."""
        if old is not None and self.battle_scene.changed(old, new):
            self._queue(PlaybackStep(new.in_round(old.round), _LOSSES))
        if old is not None and old.round != new.round and not rolled:
            self._lying = ()
        self._queue(PlaybackStep(new, 0.0))

    def _queue_dice(self, fight: F, roll: FallenDice, sound: Sound | None) -> None:
        """Queue falling dice. A second roll of the same seat belongs to a new round, or to a pursuit."""
        if any(lying.seat == roll.seat for lying in self._lying):
            self._lying = ()
        self._queue(PlaybackStep(fight, _DICE, roll, sound=sound))
        self._lying += (roll,)

    def _end(self, fight: F, course: _Course[F]) -> None:
        """Queue the last losses, if any have not been shown, and the end."""
        last = self._waiting[-1] if self._waiting else self.beat
        if last is not None and last.lost != self._lost:
            self._queue(PlaybackStep(fight, _LOSSES))
        seconds = _ENDING
        if course.caesar:
            seconds, self._ceremony = _CAESAR, Ceremony.CAESAR
        self._queue(PlaybackStep(fight, seconds, verdict=" ".join(course.verdicts[:3]), winner=course.winner))

    def _queue(self, beat: PlaybackStep[F]) -> None:
        """Queue a step. A step of zero seconds is shown only if nothing follows it."""
        if not self._takes_part(beat.fight) and not self._play_settings.others:
            return
        if not self._play_settings.speed:
            beat = replace(beat, seconds=0.0)
        # A step of zero seconds is only the present state; what follows it is newer.
        if self._waiting and not self._waiting[-1].seconds:
            self._waiting.pop()
        last = self._waiting[-1] if self._waiting else self.beat
        lost: Lost = dict(self._lost)
        # A new battle counts its losses from none; the step before it belongs to another one.
        before = last.lost if last is not None and not beat.arrives else {}
        for camp, side in enumerate((beat.fight.attacker, beat.fight.defender)):
            # Kept over the steps: a seat whose last unit fell is in no side any more.
            self._camps.update(dict.fromkeys((side.seat, *side.owners), camp))
        self._waiting.append(
            replace(
                beat, lying=self._lying, odds=self._odds, lost=lost, before=before, camps=dict(self._camps),
                ceremony=self._ceremony,
            )
        )  # fmt: skip
        while len(self._waiting) > _MOST:
            self._waiting.popleft()
        if self.beat is None or not self._play_settings.speed:
            self._next()

    def _takes_part(self, fight: F) -> bool:
        """Whether it is a battle of this seat; spectators take part in all battles."""
        sides = (fight.attacker, fight.defender)
        return self.seat < 0 or any(self.seat in (side.seat, *side.owners) for side in sides)

    @property
    def busy(self) -> bool:
        """Whether steps remain before the battle is shown as it stands now."""
        return bool(self._waiting) or (self.beat is not None and self.age < self.beat.seconds)

    @property
    def suspense(self) -> bool:
        """Whether steps remain before the outcome is told."""
        is_ending = self.beat is not None and self.beat.seconds in (_ENDING, _CAESAR)
        return self.busy and (bool(self._waiting) or (self.beat is not None and not is_ending))

    def _pace(self, beat: PlaybackStep[F]) -> float:
        """Return the factor by which time passes for a step."""
        if self.seat >= 0 and self._takes_part(beat.fight):
            pace = _HURRY if len(self._waiting) >= _MANY else 1.0
        else:
            pace = _LOOKING_ON if beat.seconds in (_DICE, _ENDING, _CAESAR) else _PASSING
            # Battles of others must not pile up behind the match; those of the player may.
            pace = max(pace, sum(waiting.seconds for waiting in self._waiting) / _BEHIND)
        if beat.ceremony is Ceremony.SKIRMISH:
            pace = max(pace, _BRIEF)
        return self._play_settings.speed * pace

    def _next(self) -> None:
        self.beat = self._waiting.popleft()
        self.age = 0.0
        if self.beat.sound is not None and self._play_settings.speed:
            self._play(self.beat.sound)
            if self.beat.arrives:
                self._play(_LAND_SOUNDS[land(self.beat.fight.space, self.beat.fight.built)])

    @property
    def tumbling(self) -> bool:
        """Whether dice are falling."""
        return self.beat is not None and self.beat.roll is not None and self.fallen < 1.0

    @property
    def stirring(self) -> bool:
        """Whether anything of the step still moves: armies, dice, hits, or units that fall."""
        beat = self.beat
        if beat is None or not self._play_settings.moves or self.age >= beat.seconds:
            return False
        end = ARRIVING if beat.arrives else TUMBLE if beat.roll is not None else 0.0
        return self.age < (FALLING if beat.lost != beat.before else end)

    def progress(self, start: float, end: float) -> float:
        """Return the share of a span of the step's seconds that has passed, 1 if nothing may move."""
        if not self._play_settings.moves or (self.beat is not None and self.age >= self.beat.seconds):
            return 1.0
        return min(1.0, max(0.0, (self.age - start) / (end - start)))

    @property
    def fallen(self) -> float:
        """Progress of the falling dice, from 0 to 1 where they lie."""
        return min(1.0, self.age / TUMBLE) if self._play_settings.moves else 1.0

    def update(self, seconds: float, current: T) -> bool:
        """Advance by some seconds; return whether the display changed."""
        before, busy, moving = self.beat, self.busy, self.tumbling or self.stirring
        if before is not None:
            if not self._play_settings.speed:  # The player switched playback off in the middle of a step.
                self.skip()
            self.age += seconds * self._pace(before)
            if self.age >= before.seconds:
                self._go_on(current)
        return moving or self.beat is not before or self.busy != busy

    def _go_on(self, current: T) -> None:
        """End the present step."""
        if self._waiting:
            self._next()
        elif self.battle_scene.read(current) is None:
            self.beat = None

    def forget(self) -> None:
        """Drop what was shown or queued, as it was undone."""
        self._waiting.clear()
        self.beat, self._lying, self._odds, self._lost = None, (), None, Counter()

    def skip(self) -> bool:
        """Show the present state at once; return False if nothing was left to show."""
        if not self.busy:
            return False
        if self._waiting:
            self.beat = self._waiting[-1]
            self._waiting.clear()
        if self.beat is not None:
            self.age = self.beat.seconds
        return True
