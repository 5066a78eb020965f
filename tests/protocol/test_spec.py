"""The written specification agrees with the code."""

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from client.commands.reports import WEAK
from client.network.dns_sd import BEAT, TTL
from protocol import announcement, codec, delta, film, limits, record
from protocol.listing import MOST_CHECKS
from protocol.version import PROTOCOL
from server import rate_limits
from server.archive import archive_requests
from server.connections.admission import Limits
from server.connections.client_connection import CONSIDERED
from server.connections.server_app import CHAT, SETTLING, Settings
from server.lobby import lobby
from server.matches.codes import LONG
from server.matches.hand_sharing import GOOD, READERS
from server.matches.match import MOST_BACK, MOST_STANDING, RING, STORY
from server.matches.match_clock import CREDIT
from server.matches.members import LOOKING_ON_EACH, SHOWN
from server.matches.seating import OFFERS, TOKEN_BYTES
from server.matches.table import TALK, TALK_KEPT
from server.matches.table_votes import ASKED, BY_POST, LIVE
from server.matches.task import LINGER
from server.tools import serve
from shared import messages
from shared.history import UNDO_DEPTH
from shared.ids import NATURE
from shared.kernel import engine
from shared.rulesets.registry import RULESETS
from shared.tables import MAX_NAME, MAX_TITLE, TablePhase
from tests.protocol.schema import schema
from tests.protocol.spec_tables import SPEC, TABLES, files

ROOT = Path(__file__).parents[2]
TEXT = "".join(path.read_text(encoding="utf-8") for path in SPEC)


def test_the_tables_are_those_of_the_types() -> None:
    made = files()
    stale = [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text]
    assert not stale, "run python -m tests.protocol.spec_tables"
    assert set(TABLES.iterdir()) <= made.keys()


def test_nothing_refers_to_a_program() -> None:
    """The text serves authors of clients in any language. It may name our programs only as an example or a tool."""
    named = {*re.findall(r"\w[\w./]+\.py\b", TEXT), *re.findall(r"\b(?:shared|server|client|tests)\.[\w.]+", TEXT)}
    assert named == {"deploy/examples/guest.py", "tests.protocol.spec_tables"}


def _kib(size: float) -> str:
    return f"{size / 1024:g} KiB"


def promised() -> list[str]:
    """Return the numbers that the text must state, taken from the code."""
    rates, gate, settings = limits.Rates(), Limits(), Settings(Path())
    here, all_here = gate.bytes_here, gate.bytes
    return [
        f"protocol version {PROTOCOL}",
        f"{limits.MAX_TO_SERVER} bytes",
        f"{record.MAX_FILE} bytes of file, {record.MAX_MEMORY // 2**20} MiB of memory for unpacking, "
        f"{record.MAX_INSIDE} bytes inside, {record.MAX_ENTRIES} entries, {record.MOST_BACKS} steps back",
        f"the line `{(record.MAGIC + b'%d' % record.FORMAT).decode()}`",
        f"`bits` below {WEAK}",
        f"{limits.MAX_TO_CLIENT} bytes",
        f"{rates.messages:g} messages per second on average and {rates.burst:g} at once",
        f"one line of chat every {1 / rates.chat:g} seconds, {rates.chat_burst:g} at once",
        f"After {limits.MAX_STRIKES} strikes the connection is closed.",
        f"A strike is forgotten every {limits.FORGIVEN:g} seconds",
        f"{_kib(here.a_second)} and {gate.frames_here.a_second:g} frames per second on average,",
        f"{_kib(here.at_once)} and {gate.frames_here.at_once:g} frames at once, for each connection",
        f"connections of an address: {_kib(all_here.a_second)} and {gate.frames.a_second:g} frames",
        f"{_kib(all_here.at_once)} and {gate.frames.at_once:g} at once",
        f"{_kib(gate.handshake)} for the HTTP request",
        f"may not come back for {gate.cool_down:g} seconds",
        f"does not read for {gate.stall:g} seconds",
        f"{gate.per_address} connections per address, {gate.half_open} of them before `Hello`,",
        f"{gate.connections} in all",
        f"may connect {'twice' if gate.knocks.a_second == 2 else '?'} a second, {gate.knocks.at_once:g} times at once",
        f"only `Resume` within {gate.patience:g} seconds is heard, on {gate.spare} more places",
        f"{lobby.MAX_TABLES} tables are awake at a time",
        f"{lobby.GATHERING_EACH} tables of one address may gather",
        f"{lobby.UNFINISHED_EACH} unfinished matches may have been begun from one address",
        f"{lobby.CREATED.at_once:g} may be made at once and one more every {1 / lobby.CREATED.a_second:g} seconds",
        f"After {rate_limits.FREE} wrong codes",
        f"up to {rate_limits.LONGEST:g}. After {rate_limits.FORGIVEN:g} seconds without one",
        f"is not tried again for {lobby.SICK:g} seconds",
        f"{TALK.a_second:g} lines of chat a second on average, {TALK.at_once:g} at once",
        f"one every {1 / CHAT.a_second:g} seconds, {CHAT.at_once:g} at once",
        f"{SHOWN.a_second:g} times a second, {SHOWN.at_once:g} at once",
        f"may ask {gate.requests.a_second:g} times a second on average, {gate.requests.at_once:g} times at once",
        f"{ {0.25: 'four'}.get(CONSIDERED) } `Consider` or `TryAction` count as one",
        f"at most {MOST_CHECKS} composed actions for one answer",
        f"keep to the {limits.MAX_CHOICES} bytes",
        f"of one answer have at most {limits.MAX_LABELS} bytes",
        f"at most {limits.MAX_CHOICES} bytes in all",
        f"{LOOKING_ON_EACH} people of one address may watch",
        f"Unpacked it has at most {film.MOST} bytes",
        f"in pieces of {_kib(archive_requests.PIECE)}, one request of each connection at a time and "
        f"{archive_requests.WAITING_EACH} of",
        f"{archive_requests.FILMS.at_once:g} films or records are made at once",
        f"and one more every {1 / archive_requests.FILMS.a_second:g} seconds. Pieces",
        f"those of open tables, {archive_requests.PAGE} at a time",
        f"gets {archive_requests.PAGES.at_once:g} pages at once and one more every "
        f"{1 / archive_requests.PAGES.a_second:g} seconds",
        f"{MOST_STANDING} standing actions",
        f"once every {1 / ASKED.a_second:g} seconds on average, {ASKED.at_once:g} times at once",
        f"{LIVE:g} seconds, by post for {'a day' if BY_POST == 86400 else '?'}",
        f"{MOST_BACK} actions of a seat may be taken back",
        f"at that version, {UNDO_DEPTH} at most",
        f"the last {RING} versions",
        f"the last {STORY} events of its audience and the last {TALK_KEPT} lines of chat",
        f"a token of {TOKEN_BYTES} random bytes",
        f"a code of {LONG} letters, good for {GOOD / 60:g} minutes",
        f"There are {gate.local_connections} connections in place of {gate.per_address}",
        f"Of each seat {READERS} devices may read",
        {4: "four that were sent and are not known to have arrived"}.get(OFFERS, "?"),
        f"pings every {settings.ping:g} seconds",
        {5.0: "the first five seconds after it has started"}.get(SETTLING, "?"),
        {500: "half a second at most"}.get(CREDIT, "?"),
        {120.0: "free again after two minutes"}.get(settings.grace, "?"),
        {180.0: "three minutes after the last one left"}.get(LINGER, "?"),
    ]


@pytest.mark.parametrize(("game", "chapters"), [("classic", "8"), ("mb1984", "89"), ("cote2", ["10"])])
def test_every_field_of_a_view_is_explained(game: str, chapters: Sequence[str]) -> None:
    told = ""
    for chapter in chapters:
        told += TEXT[TEXT.index(f"## {chapter}.1 View") : TEXT.index(f"## {chapter}.2 Actions")]
    fields = RULESETS[game].view_decoder.type.__struct_fields__
    assert [name for name in fields if f"`{name}`" not in told] == []


def test_numbers_in_the_text_are_those_of_the_code() -> None:
    text = " ".join(TEXT.split())
    assert [words for words in promised() if words not in text] == []


def test_every_refusal_code_of_the_server_is_listed() -> None:
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", TEXT, re.MULTILINE))
    used: set[str] = set()
    for path in [*ROOT.glob("protocol/*.py"), *ROOT.glob("server/**/*.py")]:
        source = path.read_text(encoding="utf-8")
        used |= set(re.findall(r'(?:Refusal\(\s*|Refused\([^"]{1,30}, )"([a-z-]+)"', source))
        used |= set(re.findall(r'BadMessage\("([a-z-]+)"', source))
    assert len(used) > 20 and used <= listed, used - listed


def test_every_message_and_ability_is_explained() -> None:
    """The tables are generated; this is about the text that an author reads."""
    named = {message.__name__ for message in (*get_args(messages.ClientMessage), *get_args(messages.ServerMessage))}
    assert len(named) > 70 and not {name for name in named if not re.search(rf"`{name}\b", TEXT)}
    documented = re.findall(r'Final = "([a-z0-9-]+)"\n"""`(?:Welcome|Hello)\.can`', _source("shared/tables.py"))
    assert len(documented) > 20 and not {ability for ability in documented if f"`{ability}`" not in TEXT}


def test_the_requests_that_are_repeated_after_a_takeover_are_named() -> None:
    listed = re.search(r"handled twice:\n\n> (.+)\n", _source("protocol/NODES.md"))
    assert listed is not None
    requests = get_args(messages.ClientMessage)
    assert set(re.findall(r"`(\w+)`", listed[1])) == {
        each.__name__ for each in requests if issubclass(each, messages.Idempotent)
    }


def _source(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_worked_example_works() -> None:
    held: list[Any] = [3, [10, 20, 30, 40], [[1, 5], [], [2, 7]], "open"]
    after = [4, [10, 21, 21, 40, 50], [[1, 6], []], "open"]
    change = [0, 4, 1, [1, 2], 21, 1, 4, 50, 2, 2, None, 2, -2, [1, 6]]
    delta.patch(held, change)
    assert held == after
    encoded = codec.ENCODER.encode(after)
    assert f"`{codec.ENCODER.encode(change).hex(' ')}`" in TEXT
    assert f"`{encoded.hex(' ')}`" in TEXT
    assert f"{delta.digest(encoded)}" in TEXT


def test_announced_tables_are_listed_as_announced() -> None:
    told = TEXT[TEXT.index("\n## 12.") :]
    table = announcement.Announcement("m1", "classic", "Ides", "Livia", 4, 1, TablePhase.GATHERING)
    assert set(re.findall(r"`(\w+)`(?=[,| ].*\|$)", told, flags=re.MULTILINE)) >= set(table.record())
    assert announcement.SERVICE in told and f"no more than {announcement.MOST}," in told
    assert f"hold for {TTL} seconds and are said again every {BEAT:g}" in told
    assert f"at most {MAX_TITLE} characters" in told and f"at most {MAX_NAME} characters" in told


@pytest.mark.parametrize("game", RULESETS)
def test_the_last_frame_tells_who_owes(game: str) -> None:
    """As section 4 says: chance for three kinds, else the field `seat`; kinds without answers only after the end."""
    rules, kinds = RULESETS[game], {each["tag"]: each for each in schema()["rulesets"][game]["frames"]}
    kept = json.loads((ROOT / "protocol" / "conformance" / f"{game}.json").read_bytes())
    for position in kept["positions"]:
        tag, _, *fields = position["view"][2][-1]
        owed = engine.owed(rules, rules.view_decoder.decode(codec.ENCODER.encode(position["view"])))
        names = [field["name"] for field in kinds[tag]["fields"]][1:]
        if not kinds[tag]["answers"]:
            assert owed == (), "only after the end"
        elif kinds[tag]["name"] in ("Dice", "Draw", "Deal"):
            assert owed == (NATURE,)
        elif owed:
            assert owed == (fields[names.index("seat")],)


def test_the_place_of_the_seat_is_two_except_in_a_vote() -> None:
    names = [
        (kind["name"], [field["name"] for field in kind["fields"]])
        for rules in schema()["rulesets"].values()
        for kind in rules["frames"]
    ]
    places = {(name, 1 + fields.index("seat")) for name, fields in names if "seat" in fields}
    assert {each for each in places if each[1] != 2} == {("Vote", 4)}


def test_a_server_takes_the_options_for_a_test_script() -> None:
    (options,) = re.findall(r"`conquest-server serve (--port 0 [^`]+)`", TEXT)
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    parsed = parser.parse_args(options.split())
    assert (parsed.port, parsed.data, parsed.bot_pace) == (0, Path("DIRECTORY"), 0.0)


def test_the_number_of_amendments_stands_among_the_options_where_the_text_says() -> None:
    (numbers,) = re.findall(r"After the first (\d) of Classic, (\d) of 1984 and (\d) of Conquest II comes", TEXT)
    for game, place in zip(("classic", "mb1984", "cote2"), map(int, numbers), strict=True):
        rules = RULESETS[game]
        last = rules.options[-1]
        state = engine.start(rules, rules.min_seats, {last.key: last.values[-1]}, engine.ignore_event)
        assert state.options[place] == len(rules.amendments) and len(state.options) == len(rules.options) + 1
        assert state.options[-1] == last.values[-1] != 0
        plain = engine.start(rules, rules.min_seats, {}, engine.ignore_event).options
        assert len(plain) == place + bool(rules.amendments), "zeros at the end are left out"
