"""A match without a server, played by the rules alone: for pictures, tests and measurements of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from client.drawing.overlay import Tone
from client.games.registry import guide
from client.language import _
from client.network.advice_request import NOT_YOURS, Advised, closed_to
from client.network.model import Told
from client.network.moments import Moments
from client.network.offline_match import OfflineMatch
from client.network.table_events import WentBack
from client.network.voting import Voting
from client.player.play_settings import PlaySettings
from client.sound.sounds import Sound
from client.table.guide import Spirit
from shared.history import returned
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action, Event
from shared.messages import Clock, Motion, Refused, Said, SeatInfo, TableState
from shared.refusal import Refusal
from shared.tables import SeatKind, TablePhase

NAMES = ("Livia", "Marcus", "Cornelia", "Gaius", "Octavia", "Titus")


class LocalMatch(OfflineMatch):
    """A `TableMatch` over a state of its own: actions take effect at once, chance is drawn from a seed."""

    def __init__(
        self,
        rules: AnyRuleset,
        seats: int,
        *,
        seed: int = 1,
        seat: Seat = NONE,
        options: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__()
        self.rules = rules
        self.seat = seat
        self.chat: list[Said] = []
        self.refusal: Refused | None = None
        self.muted: frozenset[str] = frozenset()
        self.version = 1
        self.chance = Random(seed)
        self.thinking = False
        self.hastened = 0
        self.advice: tuple[int, Advised] | None = None
        """What is advised, and at which version."""
        self.clock: Clock | None = None
        self.voting = Voting.nobody()
        self.moments = Moments()
        self._past: list[Any] = []
        """The positions before own decisions that nothing followed but others of them."""
        self.state: Any = engine.start(rules, seats, options or {}, self._emit)
        self._draw()
        kinds = [SeatInfo(SeatKind.PERSON if i in (seat, 1) else SeatKind.BOT, NAMES[i]) for i in range(seats)]
        self.table: TableState | None = TableState(
            "still", "", rules.id, {}, True, "", TablePhase.PLAYING, seat, False, 0, 0, tuple(kinds), 2
        )

    def _emit(self, event: Event) -> None:
        self._told.append(Told(self.version, event))

    @property
    def view(self) -> Any:
        """The position, as its seat may know it."""
        return self.rules.view(self.state, self.seat if self.seat >= 0 else None)

    @property
    def pending(self) -> bool:
        """Never: actions take effect at once."""
        return False

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return self.rules.finished(self.state)

    @property
    def is_mine(self) -> bool:
        """Whether this seat owes the decision."""
        return self.seat in self.owed()

    @property
    def advised(self) -> Advised | None:
        """What is advised in this position."""
        return self.advice[1] if self.advice is not None and self.advice[0] == self.version else None

    def no_advice(self) -> str:
        """Why there is none."""
        return closed_to(self.table, self.seat) or ("" if self.is_mine else NOT_YOURS)

    @property
    def undoable(self) -> int:
        """How many own decisions can be taken back."""
        return len(self._past)

    def hasten(self) -> None:
        """They make none; it is counted."""
        self.hastened += 1

    @property
    def alone(self) -> bool:
        """Somebody else plays, too."""
        return False

    def undo(self, again: bool = False) -> bool:
        """Take the last one back."""
        if not self._past:
            self.refusal = Refused(0, "no-undo", "", "There is nothing that you can take back.")
            return True
        self.version += 1
        self.state = returned(self.state, self._past.pop())
        self._emit(WentBack(self.seat, 0))
        return True

    def propose(self, motion: Motion) -> None:
        """Ask the others."""
        self.voting.propose(motion)

    def vote(self, yes: bool) -> None:
        """Answer the question that is open."""
        self.voting.vote(self.seat, yes)

    def ask_advice(self) -> None:
        """Somebody else puts the answer into `advice`."""
        self.thinking = True

    def forget_advice(self) -> None:
        """It was read."""
        self.advice = None

    def owed(self) -> tuple[Seat, ...]:
        """Who must decide now."""
        return engine.owed(self.rules, self.state)

    def check(self, action: Action) -> Refusal | None:
        """Whether this seat may do it."""
        if self.seat < 0:
            return Refusal("spectator", "", "You are looking on.")
        return engine.check(self.rules, self.view, self.seat, action)

    def options(self) -> Sequence[Action]:
        """Legal actions of this seat, where it owes one."""
        return engine.options(self.rules, self.view, self.seat) if self.seat in self.owed() else ()

    def act(self, action: Action) -> Refusal | None:
        """Do it."""
        refusal = self.check(action)
        if refusal is None:
            self.play(self.seat, action)
        return refusal

    def play(self, seat: Seat, action: Action) -> None:
        """Any seat does something."""
        self.version += 1
        before = self.state
        state = before.clone()
        engine.play(self.rules, state, seat, action, self._emit)
        self.state = state
        self._draw()
        self._past = [*self._past, before] if seat == self.seat and self.state is state else []

    def _draw(self) -> None:
        """Chance answers as long as it owes."""
        while not self.rules.finished(self.state):
            outcome = engine.chance_action(self.state, self.chance)
            if outcome is None:
                return
            state = self.state.clone()
            engine.play(self.rules, state, NATURE, outcome, self._emit)
            self.state = state

    def step(self) -> bool:
        """Whoever owes does something spirited; False once the match is over."""
        owed = self.owed()
        if not owed:
            return False
        self.play(owed[0], _liked(list(engine.options(self.rules, self.state, owed[0])), self.chance, self.rules.id))
        return True

    def take_story(self) -> list[Told]:
        """Nothing happened before."""
        return []

    def mute(self, name: str, on: bool) -> None:
        """Let nobody hear somebody, or hear him again."""
        self.muted = self.muted | {name} if on else self.muted - {name}

    def name(self, seat: Seat) -> str:
        """Who sits there."""
        return NAMES[seat] if 0 <= seat < len(NAMES) else _("Chance") if seat == NATURE else _("Nobody")


def _liked(options: list[Action], chance: Random, ruleset: str) -> Action:
    """Any option, but with some spirit: march in strength, fight and build rather than end a phase at once."""
    spirit = guide(ruleset).spirit
    spirited = [option for option in options if option.__struct_fields__ and spirit(option) != Spirit.QUIET]
    spirited = [option for option in spirited if spirit(option) == Spirit.HIGH] or spirited
    lazy = [option for option in options if not option.__struct_fields__]
    if spirited and (not lazy or chance.randrange(7)):
        return chance.choice(spirited)
    return chance.choice(lazy or options)


class QuietHouse:
    """A `House` that only remembers."""

    def __init__(self) -> None:
        self.toasts: list[str] = []
        self.rules: list[str] = []
        self.sounds: list[Sound] = []
        self.said: list[str] = []
        self.helped = self.set = self.left = self.looked_back = 0
        self.listens = self.tells = self.lends = False
        self.manner = PlaySettings()
        self.missed = False

    def toast(self, words: str, tone: Tone = "plain", rule: str = "") -> None:
        """Remember what was said in passing."""
        self.toasts.append(words)
        self.rules.append(rule)

    def sound(self, sound: Sound) -> None:
        """Remember what was heard."""
        self.sounds.append(sound)

    def show_help(self) -> None:
        """Remember that help was asked for."""
        self.helped += 1

    def show_settings(self) -> None:
        """Remember that the settings were asked for."""
        self.set += 1

    def leave_table(self) -> None:
        """Remember that one left."""
        self.left += 1

    def show_hand(self) -> None:
        """Nobody is elsewhere."""

    def show_on_wall(self) -> None:
        """There is one screen only."""

    def look_back(self) -> None:
        """Remember that one looked back."""
        self.looked_back += 1

    def show_hook(self) -> None:
        """Nobody is told anything outside of the game."""

    def see_missed(self) -> bool:
        """Whether there is something that was missed."""
        return self.missed

    def say(self, words: str) -> None:
        """Remember what was said at the table."""
        self.said.append(words)

    def listen(self, on: bool) -> None:
        """Remember whether one listens to those who look on."""
        self.listens = on
