"""Reports and blocks in the client: what is hidden, and what the text client says."""

import msgspec
import pytest

from client.network.blocks import Blocks
from protocol import codec
from protocol.session import ClientSession
from shared import messages as m


@pytest.fixture
def sent() -> list[m.ClientMessage]:
    """Messages that were sent."""
    return []


@pytest.fixture
def blocks(sent: list[m.ClientMessage]) -> Blocks:
    """The list of a client that is at a table."""
    return Blocks(ClientSession("Anna"), lambda data: sent.append(codec.decode_client(data)))


def test_the_server_says_who_is_hidden_at_this_table(blocks: Blocks, sent: list[m.ClientMessage]) -> None:
    blocks.block("Titus", avoid=False, hide=True)
    (asked,) = sent
    assert isinstance(asked, m.Block) and (asked.name, asked.avoid, asked.hide) == ("Titus", False, True)
    assert blocks.hear(m.Blocks(asked.ref, (m.Blocked("Titus", False, True),), ("Titus",)))
    assert blocks.hidden == {"Titus"} and blocks.wishes("Titus").hide and not blocks.wishes("Gaius").hide
    assert blocks.hear(m.Blocks(0, (m.Blocked("Titus", False, True),), ("Titus", "Titus (2)")))
    assert blocks.hidden == {"Titus", "Titus (2)"}
    assert not blocks.hear(m.Said(0, "Titus", "Hello"))


def test_a_person_without_a_profile_is_hidden_on_this_device(blocks: Blocks, sent: list[m.ClientMessage]) -> None:
    for hide in (True, False):
        blocks.block("Guest", avoid=False, hide=hide)
        asked = sent[-1]
        assert isinstance(asked, m.Block)
        assert blocks.hear(m.Refused(asked.ref, "no-person", "", ""))
        assert blocks.hidden == ({"Guest"} if hide else set())
    blocks.block("Guest", avoid=False, hide=True)
    asked = msgspec.structs.replace(sent[-1])
    assert isinstance(asked, m.Block)
    blocks.hear(m.Refused(asked.ref, "rate", "", ""))
    assert not blocks.hidden


def test_a_report_has_the_moment(blocks: Blocks, sent: list[m.ClientMessage]) -> None:
    blocks.report("Titus", "You fool", 7, "He insults me.")
    (asked,) = sent
    assert isinstance(asked, m.Report) and (asked.words, asked.version, asked.why) == ("You fool", 7, "He insults me.")
