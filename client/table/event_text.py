"""Texts that all games share: a sentence for an event, and the seat that caused it. Pure."""

from collections.abc import Callable, Sequence

from client.language import Who, _, heard, say, say_line
from client.network.table_events import Asked, WentBack
from client.table import proposal_text
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.language.sentence import Sentence
from shared.messages import Said
from shared.sentences.common import went_back
from shared.sentences.since_turn import actor
from shared.sentences.yours import to_reader
from shared.tables import LOOKING_ON, THE_TABLE


def event_line(event: Event, who: Who, tell: Callable[[Event], Sentence | None], reader: Seat = NONE) -> str:
    """Return the chronicle's line for an event; empty for events that need none.

    tell: the game's own sentences. reader: the seat of the player who reads it and is addressed as "you".
    """
    match event:
        case WentBack():
            return say(to_reader(went_back(event.seat), reader), who)
        case Asked():
            return proposal_text.told(event, who, reader)
        case _game:
            sentence = tell(event)
            return say_line(sentence and to_reader(sentence, reader), who)


def whose(event: Event) -> Seat:
    """Return the seat that caused an event, whose mark stands before the line; NONE if there is none."""
    match event:
        case Asked():
            return event.poll.seat if event.fresh else NONE
        case _:
            return actor(event)


def spoken(line: Said, reader: Seat = NONE) -> str:
    """Return a line of chat; spectators are marked, and the player who reads it is called "You"."""
    if line.seat == THE_TABLE:
        return heard(line.text)
    mark = _(" (watching)") if line.seat == LOOKING_ON else ""
    name = _("You") if line.seat == reader != NONE else line.name
    return f"{name}{mark}: {line.text}"


def since(chat: Sequence[Said], last: Said | None) -> list[Said]:
    """Return the chat after `last`; all of it if `last` is no longer kept."""
    found: list[Said] = []
    for line in reversed(chat):
        # By identity: two players may say the same words.
        if line is last:
            break
        found.append(line)
    return found[::-1]
