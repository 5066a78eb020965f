"""Interfaces of the match and of the program around the table: two small ports, so that the table runs without both."""

from typing import Protocol

from client.drawing.overlay import Tone
from client.network.advice_request import AdviceTexts
from client.network.blocks import Blocks
from client.network.model import VersionedEvent
from client.network.rewind_moments import Moments
from client.network.voting import Voting
from client.player.settings import PlaySettings
from client.sound.sounds import Sound
from client.table.position import T_co
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
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
    def blocks(self) -> Blocks | None:
        """Reports and wishes about other people; None without a server."""

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
        """Return the seats that must decide now."""

    def check(self, action: Action) -> Refusal | None:
        """Return why this seat may not do an action now, or None."""

    def act(self, action: Action) -> Refusal | None:
        """Send an action, or return why it is not legal."""

    @property
    def undoable(self) -> int:
        """Number of own decisions that can be taken back now, one after the other."""

    def hasten(self) -> None:
        """Ask bots to make no pauses until this seat is to decide again."""

    @property
    def alone(self) -> bool:
        """Whether this seat plays against bots only, at a table that allows going back."""

    def undo(self, again: bool = False) -> bool:
        """Ask to take back the last decision; `refusal` tells why it stands. Return False if nothing was asked.

        again: although dice have fallen since, where this seat is `alone`.
        """

    def propose(self, motion: Motion) -> None:
        """Propose a motion to the others at the table."""

    def vote(self, yes: bool) -> None:
        """Answer the open question."""

    @property
    def thinking(self) -> bool:
        """Whether advice was asked for and is still to come."""

    @property
    def advised(self) -> AdviceTexts | None:
        """Advice for this position, if it was asked for."""

    def no_advice(self) -> str:
        """Return why this seat cannot ask for advice now, in a sentence; "" if it can."""

    def ask_advice(self) -> None:
        """Ask for the strongest bot's advice."""

    def forget_advice(self) -> None:
        """Drop the advice."""

    def mute(self, name: str, on: bool) -> None:
        """Mute a participant for everyone, or end that; for the host only."""

    def take_story(self) -> list[VersionedEvent]:
        """Return the events before this client came, once."""

    def take_events(self) -> list[VersionedEvent]:
        """Return the events since the last call."""

    def seconds_left(self) -> float | None:
        """Return the seconds until the clock decides."""

    def times(self) -> tuple[float, ...]:
        """Return the seconds that each seat has left, `inf` for bots; nothing without clocks."""

    @property
    def paused(self) -> bool:
        """Whether the match is paused for everyone."""

    @property
    def replaced(self) -> bool:
        """Whether a bot plays on our seat although we are here."""

    def come_back(self) -> None:
        """Take our seat back from the bot."""

    def name(self, seat: Seat) -> str:
        """Return the name of the player on a seat."""


class TableCallbacks(Protocol):
    """Calls of the table to the program around it."""

    def toast(self, words: str, tone: Tone = "plain", rule: str = "") -> None:
        """Show a short notice; `rule`: the id of the rule that it is about."""

    def sound(self, sound: Sound) -> None:
        """Play a sound."""

    def show_help(self) -> None:
        """Open the rules."""

    def show_settings(self) -> None:
        """Open the settings."""

    def leave_table(self) -> None:
        """Leave the table."""

    @property
    def lends(self) -> bool:
        """Whether our hand can be read on another device."""

    def show_hand(self) -> None:
        """Open the instructions for reading our hand on another device."""

    def show_on_wall(self) -> None:
        """Show the table on a large screen, for all; for spectators only."""

    def look_back(self, at: int | None = None) -> None:
        """Open the replay of the match so far."""

    @property
    def tells(self) -> bool:
        """Whether the table can notify absent players outside of the game that it is their turn."""

    def show_hook(self) -> None:
        """Open the host's settings for these notifications."""

    @property
    def notifies(self) -> bool:
        """Whether the server can notify this player outside of the game."""

    def show_notices(self) -> None:
        """Open the player's settings for these notices."""

    @property
    def invites(self) -> bool:
        """Whether other computers can reach the table."""

    def show_invitation(self) -> None:
        """Open the link for friends."""

    @property
    def missed(self) -> bool:
        """Whether there is a replay of the time that the player was away."""

    def see_missed(self) -> bool:
        """Open that replay; return False if there is none."""

    def say(self, words: str) -> None:
        """Send chat to all at the table."""

    @property
    def play_settings(self) -> PlaySettings:
        """The player's settings for display and questions."""

    @property
    def listens(self) -> bool:
        """Whether the player hears spectators."""

    def listen(self, on: bool) -> None:
        """Turn chat of spectators on or off."""
