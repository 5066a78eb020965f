"""What the table needs of the match and of the program around it: two small ports, so that it runs without both."""

from __future__ import annotations

from typing import Protocol

from client.drawing.overlay import Tone
from client.network.advice_request import Advised
from client.network.model import Told
from client.network.moments import Moments
from client.network.voting import Voting
from client.player.play_settings import PlaySettings
from client.sound.sounds import Sound
from client.table.position import T_co
from shared.ids import Seat
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action
from shared.messages import Clock, Motion, Refused, Said, TableState
from shared.refusal import Refusal


class TableMatch(Protocol[T_co]):
    """A match as one client sees it; `client.network.model.MatchModel` is one."""

    rules: AnyRuleset
    table: TableState | None
    seat: Seat
    version: int
    chat: list[Said]
    refusal: Refused | None
    muted: frozenset[str]
    clock: Clock | None
    voting: Voting
    moments: Moments

    @property
    def view(self) -> T_co | None:
        """The position as this seat sees it; None until it has come."""

    @property
    def pending(self) -> bool:
        """Whether an action was sent and is not answered yet."""

    @property
    def finished(self) -> bool:
        """Whether the match is over."""

    @property
    def is_mine(self) -> bool:
        """Whether this seat owes a decision and none is on its way."""

    def owed(self) -> tuple[Seat, ...]:
        """The seats that must decide now."""

    def check(self, action: Action) -> Refusal | None:
        """Whether this seat may do it now."""

    def act(self, action: Action) -> Refusal | None:
        """Send an action, or say why it is not legal."""

    @property
    def undoable(self) -> int:
        """How many own decisions can be taken back now, one after the other."""

    def hasten(self) -> None:
        """Let bots make no pauses until this seat is to decide again."""

    @property
    def alone(self) -> bool:
        """Whether this seat plays against bots only, at a table where one may go back."""

    def undo(self, again: bool = False) -> bool:
        """Take back what was decided last, or learn from `refusal` why it stands; False where nothing is asked.

        again: although dice have fallen since, where this seat is `alone`.
        """

    def propose(self, motion: Motion) -> None:
        """Ask the others at the table."""

    def vote(self, yes: bool) -> None:
        """Answer the question that is open."""

    @property
    def thinking(self) -> bool:
        """Whether advice was asked for and is still to come."""

    @property
    def advised(self) -> Advised | None:
        """What is advised in this position, if that was asked."""

    def no_advice(self) -> str:
        """Why this seat cannot ask for advice now, in a sentence; empty where it can."""

    def ask_advice(self) -> None:
        """Ask what the strongest bot would do."""

    def forget_advice(self) -> None:
        """What was advised need not be shown any more."""

    def mute(self, name: str, on: bool) -> None:
        """The host: let nobody hear somebody, or hear him again."""

    def take_story(self) -> list[Told]:
        """What happened before this client came, once."""

    def take_events(self) -> list[Told]:
        """The events since the last call."""

    def seconds_left(self) -> float | None:
        """Seconds until the clock decides."""

    def times(self) -> tuple[float, ...]:
        """Seconds that each seat has left, `inf` for bots; nothing without clocks."""

    @property
    def paused(self) -> bool:
        """Whether the match stands still for everybody."""

    @property
    def replaced(self) -> bool:
        """Whether a bot plays on our seat although we are here."""

    def come_back(self) -> None:
        """Take our seat from it."""

    def name(self, seat: Seat) -> str:
        """Who sits there."""


class House(Protocol):
    """The program around the table."""

    def toast(self, words: str, tone: Tone = "plain", rule: str = "") -> None:
        """Say something in passing; `rule`: the id of the one that it is about."""

    def sound(self, sound: Sound) -> None:
        """Let a sound be heard."""

    def show_help(self) -> None:
        """Open the rules."""

    def show_settings(self) -> None:
        """Open what the player may wish."""

    def leave_table(self) -> None:
        """Get up from the table."""

    @property
    def lends(self) -> bool:
        """Whether our hand can be read on another device."""

    def show_hand(self) -> None:
        """Open what shows how."""

    def show_on_wall(self) -> None:
        """Show the table on a large screen, for all: only where one looks on."""

    def look_back(self) -> None:
        """Look at what happened so far."""

    @property
    def tells(self) -> bool:
        """Whether the table can tell people who are away, outside of the game, that it is their turn."""

    def show_hook(self) -> None:
        """Open what the host says of that."""

    @property
    def missed(self) -> bool:
        """Whether there is something to be seen of what happened while one was away."""

    def see_missed(self) -> bool:
        """Look at that; False where there is nothing."""

    def say(self, words: str) -> None:
        """Say something to all at the table."""

    @property
    def manner(self) -> PlaySettings:
        """How the player wishes things to be shown and asked."""

    @property
    def listens(self) -> bool:
        """Whether the player hears those who look on."""

    def listen(self, on: bool) -> None:
        """Hear those who look on, or no longer."""
