"""Present keys of all commands, with the player's changes. The program has one instance, `KEYS`."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from client.keyboard.chord import Chord, chord, idle, pressed
from client.keyboard.commands import COMMANDS, Command, KeyContext
from client.language import _


class Keys:
    """Keys of all commands."""

    def __init__(self) -> None:
        self._own: dict[Command, tuple[Chord, ...]] = {}
        """Keys that the player changed."""
        self._found: dict[tuple[KeyContext, Chord], Command] = {}
        self._index()

    def _index(self) -> None:
        self._found = {(entry.place, each): command for command, entry in COMMANDS.items() for each in self.of(command)}

    def of(self, command: Command) -> tuple[Chord, ...]:
        """Return the keys of a command; the first one is shown to the player."""
        return self._own.get(command, COMMANDS[command].keys)

    def told(self, command: Command) -> str:
        """Return the name of the command's first key."""
        return self.of(command)[0].told

    def command(self, symbol: int, modifiers: int, *places: KeyContext) -> Command | None:
        """Return the command of a key in one of these places, or everywhere. Shift without a meaning is ignored."""
        held = pressed(symbol, modifiers)
        for found in (held, held.without("shift")):
            for place in (*places, KeyContext.EVERYWHERE):
                if (place, found) in self._found:
                    return self._found[place, found]
        return None

    def hits(self, command: Command, symbol: int, modifiers: int) -> bool:
        """Whether a key runs that command."""
        return self.command(symbol, modifiers, COMMANDS[command].place) is command

    # Changes

    def why_not(self, command: Command, new: Chord) -> str:
        """Return why a key cannot run that command, in a sentence; empty if it can."""
        if idle(new.symbol):
            return _("This key does nothing by itself. Press another key, with or without it.")
        place = COMMANDS[command].place
        board = place in (KeyContext.TABLE, KeyContext.FILM)
        if board and new.digit:
            return _("{key} chooses numbered things: 1 to 9 cannot be changed.", key=new.told)
        if new.typed and not board and new not in COMMANDS[command].keys:
            return _("{key} is needed for typing. Hold Ctrl or Alt with it.", key=new.told)
        other = next((other for other in self._sharing(place, new) if other is not command), None)
        return "" if other is None else _("{key} is in use: {what}.", key=new.told, what=COMMANDS[other].words)

    def _sharing(self, place: KeyContext, key: Chord) -> Iterator[Command]:
        """Yield other commands of a key that work in the same place."""
        for other, entry in COMMANDS.items():
            heard = place is entry.place or KeyContext.EVERYWHERE in (place, entry.place)
            if heard and key in self.of(other):
                yield other

    def takers(self, command: Command) -> str:
        """Return the commands that now have the default keys of this one, in words; empty if the keys are free."""
        place = COMMANDS[command].place
        found = [other for key in COMMANDS[command].keys for other in self._sharing(place, key) if other is not command]
        return ", ".join(COMMANDS[other].words for other in dict.fromkeys(found))

    def change(self, command: Command, new: Chord) -> str:
        """Give the command that key instead of its present ones; return why not if that fails."""
        refusal = self.why_not(command, new)
        if not refusal:
            self._put(command, (new,))
        return refusal

    def _put(self, command: Command, chords: tuple[Chord, ...]) -> None:
        self._own[command] = chords
        if chords == COMMANDS[command].keys:
            del self._own[command]
        self._index()

    def reset(self, *commands: Command) -> None:
        """Restore the default keys of these commands, or of all."""
        for command in commands or tuple(self._own):
            self._own.pop(command, None)
        self._index()

    # Saving

    def kept(self) -> dict[str, list[str]]:
        """Return the player's changes in the form for files."""
        return {command.value: [str(each) for each in keys] for command, keys in self._own.items()}

    def take(self, saved: Mapping[str, Sequence[str]]) -> None:
        """Load saved changes; invalid or ambiguous ones are replaced by the defaults."""
        self._own.clear()
        for command in COMMANDS:
            with contextlib.suppress(ValueError):
                self._own[command] = tuple(chord(each) for each in saved.get(command.value, ()))
        self._own = {command: keys for command, keys in self._own.items() if keys != COMMANDS[command].keys and keys}
        # After all are loaded, because two commands may have exchanged their keys.
        for command, keys in tuple(self._own.items()):
            if any(self.why_not(command, each) for each in keys):
                del self._own[command]
        self._index()


KEYS: Final = Keys()
"""The keys of this program."""


def told(command: Command) -> str:
    """Return the name of the command's first key."""
    return KEYS.told(command)
