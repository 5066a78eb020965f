"""Match without a server, played by the rules alone, for pictures, tests and measurements of the table."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from client.drawing.overlay import Tone
from client.games.registry import guide
from client.language import _
from client.network.advice_request import NOT_YOURS, AdviceTexts, closed_to
from client.network.model import VersionedEvent
from client.network.offline_match import OfflineMatch
from client.network.rewind_moments import Moments
from client.network.table_events import WentBack
from client.network.voting import Voting
from client.player.settings import PlaySettings
from client.sound.sounds import Sound
from client.table.guide import Spirit
from shared.history import returned
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Clock, Motion, Refused, Said, SeatInfo, TableState
from shared.refusal import Refusal
from shared.tables import SeatKind, TablePhase

NAMES = ("Livia", "Marcus", "Cornelia", "Gaius", "Octavia", "Titus")


class LocalMatch(OfflineMatch):
    """`TableMatch` over its own state: actions take effect at once, and chance is drawn from a seed."""

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
        self.advice: tuple[int, AdviceTexts] | None = None
        """The present advice, and the version of the position that it is for."""
        self.clock: Clock | None = None
        self.voting = Voting.without_people()
        self.moments = Moments()
        self._past: list[tuple[int, Any]] = []
        """Versions and positions before the player's latest decisions, as far as only such decisions followed."""
        self.state: Any = engine.start(rules, seats, options or {}, self._emit)
        self._draw()
        kinds = [SeatInfo(SeatKind.PERSON if i in (seat, 1) else SeatKind.BOT, NAMES[i]) for i in range(seats)]
        self.table: TableState | None = TableState(
            "still", "", rules.id, {}, True, "", TablePhase.PLAYING, seat, False, 0, 0, tuple(kinds), 2
        )

    def _emit(self, event: Event) -> None:
        self._new_events.append(VersionedEvent(self.version, event))

    @property
    def view(self) -> Any:
        """The position, as far as its seat may see it."""
        return self.rules.view(self.state, self.seat if self.seat >= 0 else None)

    @property
    def pending(self) -> bool:
        """Always False: actions take effect at once."""
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
    def advised(self) -> AdviceTexts | None:
        """Advice for the present position, or None."""
        return self.advice[1] if self.advice is not None and self.advice[0] == self.version else None

    def no_advice(self) -> str:
        """Return why no advice is available; empty if it is."""
        return closed_to(self.table, self.seat) or ("" if self.is_mine else NOT_YOURS)

    @property
    def undoable(self) -> int:
        """Number of own decisions that can be undone."""
        return len(self._past)

    def hasten(self) -> None:
        """Count the request. No bots run here that could hurry."""
        self.hastened += 1

    @property
    def alone(self) -> bool:
        """Always False: the other seats are played, too."""
        return False

    def undo(self, again: bool = False) -> bool:
        """Undo the last decision. Set a refusal if there is none."""
        if not self._past:
            self.refusal = Refused(0, "no-undo", "", "There is nothing that you can take back.")
            return True
        self.version += 1
        to, then = self._past.pop()
        self.state = returned(self.state, then)
        self._emit(WentBack(self.seat, to))
        return True

    def propose(self, motion: Motion) -> None:
        """Put a motion to the vote."""
        self.voting.propose(motion)

    def vote(self, yes: bool) -> None:
        """Vote on the open motion."""
        self.voting.vote(self.seat, yes)

    def ask_advice(self) -> None:
        """Note that advice is wanted. The caller puts it into `advice`."""
        self.thinking = True

    def forget_advice(self) -> None:
        """Drop the advice after it was read."""
        self.advice = None

    def owed(self) -> tuple[Seat, ...]:
        """Return the seats that owe a decision now."""
        return engine.owed(self.rules, self.state)

    def check(self, action: Action) -> Refusal | None:
        """Return why this seat may not do it, or None."""
        if self.seat < 0:
            return Refusal("spectator", "", "You are watching.")
        return engine.check(self.rules, self.view, self.seat, action)

    def options(self) -> Sequence[Action]:
        """Return the legal actions of this seat, if it owes a decision."""
        return engine.options(self.rules, self.view, self.seat) if self.seat in self.owed() else ()

    def act(self, action: Action) -> Refusal | None:
        """Play an action of this seat, or return why it is refused."""
        refusal = self.check(action)
        if refusal is None:
            self.play(self.seat, action)
        return refusal

    def play(self, seat: Seat, action: Action) -> None:
        """Play an action of any seat."""
        self.version += 1
        before = self.state
        # `_past` and the table's views keep the position before.
        state = before.clone()
        engine.play(self.rules, state, seat, action, self._emit)
        self.state = state
        self._draw()
        # If dice have fallen, `_draw` has replaced the state, and nothing before can be undone.
        self._past = [*self._past, (self.version - 1, before)] if seat == self.seat and self.state is state else []

    def _draw(self) -> None:
        """Play the outcomes of chance as long as chance owes one."""
        while not self.rules.finished(self.state):
            outcome = engine.chance_action(self.state, self.chance)
            if outcome is None:
                return
            state = self.state.clone()
            engine.play(self.rules, state, NATURE, outcome, self._emit)
            self.state = state

    def step(self) -> bool:
        """Play a spirited action for the first seat that owes one. Return False once the match is over."""
        owed = self.owed()
        if not owed:
            return False
        self.play(
            owed[0], _spirited_choice(list(engine.options(self.rules, self.state, owed[0])), self.chance, self.rules.id)
        )
        return True

    def take_story(self) -> list[VersionedEvent]:
        """Return no earlier events: the match has no history."""
        return []

    def mute(self, name: str, on: bool) -> None:
        """Mute or unmute a player's chat."""
        self.muted = self.muted | {name} if on else self.muted - {name}

    def name(self, seat: Seat) -> str:
        """Return the name of a seat's player."""
        return NAMES[seat] if 0 <= seat < len(NAMES) else _("Chance") if seat == NATURE else _("Nobody")


def _spirited_choice(options: list[Action], chance: Random, ruleset: str) -> Action:
    """Choose an option at random, but spirited: rather march in strength, fight and build than end a phase at once."""
    spirit = guide(ruleset).spirit
    spirited = [option for option in options if option.__struct_fields__ and spirit(option) != Spirit.QUIET]
    spirited = [option for option in spirited if spirit(option) == Spirit.HIGH] or spirited
    lazy = [option for option in options if not option.__struct_fields__]
    if spirited and (not lazy or chance.randrange(7)):
        return chance.choice(spirited)
    return chance.choice(lazy or options)


class RecordedCallbacks:
    """`TableCallbacks` that only records calls."""

    def __init__(self) -> None:
        self.toasts: list[str] = []
        self.rules: list[str] = []
        self.sounds: list[Sound] = []
        self.said: list[str] = []
        self.helped = self.set = self.left = self.looked_back = 0
        self.listens = self.tells = self.lends = False
        self.play_settings = PlaySettings()
        self.missed = False
        self.looked_at: int | None = None

    def toast(self, words: str, tone: Tone = "plain", rule: str = "") -> None:
        """Record a toast."""
        self.toasts.append(words)
        self.rules.append(rule)

    def sound(self, sound: Sound) -> None:
        """Record a sound."""
        self.sounds.append(sound)

    def show_help(self) -> None:
        """Record a request for help."""
        self.helped += 1

    def show_settings(self) -> None:
        """Record a request for the settings."""
        self.set += 1

    def leave_table(self) -> None:
        """Record leaving the table."""
        self.left += 1

    def show_hand(self) -> None:
        """Do nothing: the hand is shown on no other device."""

    def show_on_wall(self) -> None:
        """Do nothing: there is only one screen."""

    def look_back(self, at: int | None = None) -> None:
        """Record a request to look back."""
        self.looked_back += 1
        self.looked_at = at

    @property
    def notifies(self) -> bool:
        """Return False: no notices are sent."""
        return False

    def show_notices(self) -> None:
        """Do nothing: no notices are sent."""

    @property
    def invites(self) -> bool:
        """Return False: no friends can come."""
        return False

    def show_invitation(self) -> None:
        """Do nothing: no friends can come."""

    def show_hook(self) -> None:
        """Do nothing: this match has no webhooks."""

    def see_missed(self) -> bool:
        """Whether there are missed events."""
        return self.missed

    def say(self, words: str) -> None:
        """Record a chat line."""
        self.said.append(words)

    def listen(self, on: bool) -> None:
        """Record whether the spectators' chat is wanted."""
        self.listens = on
