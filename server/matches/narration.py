"""Sentences for what clients are shown, sent to those that asked for them. They cost nothing while none did."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from protocol import codec
from server import log
from server.delivery.outgoing import Outgoing
from server.delivery.peer import Peer
from server.matches.audience import Audience
from server.matches.match import Match
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.language.sentence import Sentence
from shared.messages import Back, Narrated
from shared.sentences.common import went_back
from shared.sentences.registry import SENTENCES as GAMES
from shared.sentences.since_turn import at_turn_start
from shared.sentences.yours import prompt_to_reader, to_reader
from shared.tables import PACKED, SENTENCES


def narrated(match: Match, audience: int, have: int) -> Narrated | None:
    """Return the words for what an audience class was shown after version `have`; None for a game without words.

    They are made from the view and the events of that class alone, and so cannot tell what it may not know.
    """
    backs = [(version, back) for version, back in match.backs() if version > have]
    # The position still owes a decision then, of which no client should be told.
    agreed_to_end = match.finished and not match.rules.finished(match.state)
    view = None if agreed_to_end else match.position(audience)
    reader = audience if audience < match.seats else NONE
    words = words_for(match.rules.id, match.version, match.told(audience, have), backs, view, reader)
    if words is None or reader == NONE or match.finished:
        return words
    events = list(match.told(audience, NONE))
    for version, back in match.backs():  # What was undone did not happen.
        events = [one for one in events if one[0] <= back.to or one[0] > version]
    happenings = at_turn_start(GAMES[match.rules.id], events, reader, match.version)
    return replace(words, since=tuple([(one.version, one.words) for one in happenings]))


def words_for(
    ruleset: str,
    version: int,
    events: Iterable[tuple[int, Event]],
    backs: Iterable[tuple[int, Back]],
    view: Any,
    reader: Seat = NONE,
) -> Narrated | None:
    """Return the words for a position and what led to it; None for a game without words.

    events, backs: each with the version that it led to, as one audience class was shown them. view: the position at
    `version` as that class sees it; None if the players agreed to end the match. reader: the seat that is addressed as
    "you"; NONE for spectators.
    """
    game = GAMES.get(ruleset)
    if game is None:
        return None
    lines: list[tuple[int, Sentence | None]] = [(at, game.tell(event)) for at, event in events]
    lines += [(at, went_back(back.seat)) for at, back in backs]
    lines = [(at, sentence and to_reader(sentence, reader)) for at, sentence in lines]
    lines.sort(key=lambda line: line[0])  # A return has no events, so that the order within a version stays.
    return Narrated(version, tuple(lines), None if view is None else prompt_to_reader(game.prompt(view), reader))


class Narrator:
    """Sender of words to the clients of one table that asked for them."""

    def __init__(self) -> None:
        self._version = NONE
        self._stories: dict[tuple[int, int, bool], Outgoing | None] = {}
        """Messages for `_version`, by audience class, version before, and whether packed: crowds share them."""

    def tell_all(self, match: Match, audience: Audience, have: int) -> None:
        """Send all clients that asked for it the words for what they were shown after version `have`.

        Call it once the frames are on the way: players do not wait for words.
        """
        for peer in audience.narrated:
            self._send(match, peer, audience.audience_of(peer), have, packed=False)

    def tell(self, match: Match, peer: Peer, audience: int, have: int) -> None:
        """Send one client the words for what it was shown after version `have`, if it asked for them."""
        if SENTENCES in peer.agreed:
            self._send(match, peer, audience, have, packed=PACKED in peer.agreed)

    def _send(self, match: Match, peer: Peer, audience: int, have: int, *, packed: bool) -> None:
        if self._version != match.version:
            self._version, self._stories = match.version, {}
        key = audience, have, packed
        if key not in self._stories:
            self._stories[key] = _outgoing(match, audience, have, packed)
        if (message := self._stories[key]) is not None:
            peer.send(message)


def _outgoing(match: Match, audience: int, have: int, packed: bool) -> Outgoing | None:
    try:
        message = narrated(match, audience, have)
    except Exception:
        # A sentence that fails must not stop a match: the client has the events and the view.
        log.failure("no-words", version=match.version)
        return None
    if message is None:
        return None
    payload = codec.encode_lean(message)
    return Outgoing(codec.pack(payload) if packed else payload, droppable=True)
