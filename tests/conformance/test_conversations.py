"""The recorded conversations still decode with the present protocol, and lead to the server's state."""

from typing import get_args

import msgspec
import pytest

from protocol import codec
from protocol.session import ClientSession
from shared import messages as m
from tests.conformance.conversations import PATHS, main, path_of, recorded
from tests.conformance.files import Conversation, Line
from tests.protocol.make_samples import readable
from tests.protocol.test_samples import grown

Kind = type[msgspec.Struct]
SHOWN: dict[str, tuple[set[Kind], set[Kind]]] = {
    "join": ({m.Hello, m.Join}, {m.Welcome, m.Seated, m.TableState, m.Snapshot, m.Clock}),
    "play": ({m.Consider, m.Act}, {m.Choices, m.Frame, m.Accepted, m.Refused}),
    "drop": ({m.Consider, m.Act}, {m.Choices}),
    "resume": ({m.Hello, m.Resume, m.Act}, {m.Welcome, m.Seated, m.TableState, m.Frame, m.Clock, m.Accepted}),
    "rewind": ({m.Undo, m.Act}, {m.Done, m.Frame, m.Refused}),
    "end": ({m.Recall, m.Leave}, {m.Frame, m.TableState, m.Proof, m.Recalled, m.Left}),
}
"""Messages that each path must contain."""


def kept(path: str) -> Conversation:
    return msgspec.json.decode(path_of(path).read_bytes(), type=Conversation)


def said(line: Line) -> m.ClientMessage | m.ServerMessage:
    decode = codec.decode_client if line.by == "client" else codec.decode_server
    return decode(bytes.fromhex(line.bytes))


def kinds(conversation: Conversation, by: str) -> set[Kind]:
    return {type(said(line)) for line in conversation.lines if line.by == by}


@pytest.mark.parametrize("path", PATHS)
def test_it_is_still_said_and_understood(path: str) -> None:
    conversation = kept(path)
    assert (conversation.path, conversation.shows) == (path, PATHS[path])
    for line in conversation.lines:
        then = codec.decode_plain(bytes.fromhex(line.bytes))
        assert readable(then) == line.reads and codec.ENCODER.encode(then).hex() == line.bytes
        assert grown(codec.decode_plain(codec.encode(said(line))), then)


@pytest.mark.parametrize("path", PATHS)
def test_each_path_shows_what_belongs_to_it(path: str) -> None:
    asked, answered = SHOWN[path]
    assert asked <= kinds(kept(path), "client") <= asked | {m.Consider}
    assert answered <= kinds(kept(path), "server")
    assert {line.by for line in kept(path).lines} == {"client", "server"}


def test_a_client_that_hears_them_in_order_sees_what_the_server_saw() -> None:
    livia = ClientSession("Livia")
    lines = [line for path in PATHS for line in kept(path).lines]
    versions = []
    for line in lines:
        if line.by == "server":
            livia.receive(bytes.fromhex(line.bytes))
            versions.append(livia.version)
        elif isinstance(said(line), m.Hello):
            livia.connect()
        elif isinstance(said(line), m.Resume):
            assert line.reads[2:] == [livia.match, "hex:" + livia.token.hex(), livia.version]
    assert livia.mismatches == 0 and max(versions) > 5


def test_unanswered_actions_are_sent_again_and_act_once() -> None:
    last, again = kept("drop").lines[-1], next(line for line in kept("resume").lines if line.reads[0] == 9)
    assert last == again
    accepted = [said(line) for line in kept("resume").lines]
    assert [each.command for each in accepted if isinstance(each, m.Accepted)] == [last.reads[1]]


@pytest.mark.long
async def test_they_can_be_recorded_anew() -> None:
    """The same paths are walked against the server as it is now."""
    made = await recorded()
    assert [conversation.path for conversation in made] == list(PATHS)
    for conversation in made:
        asked, answered = SHOWN[conversation.path]
        assert asked <= kinds(conversation, "client") and answered <= kinds(conversation, "server")
    assert {*get_args(m.ClientMessage)} >= {type(said(line)) for line in made[0].lines if line.by == "client"}


def test_recorded_conversations_stay_as_they_are() -> None:
    before = [path_of(path).read_bytes() for path in PATHS]
    main([])
    assert [path_of(path).read_bytes() for path in PATHS] == before
