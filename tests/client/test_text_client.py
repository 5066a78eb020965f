"""The table in words: what commands mean, what is printed, and that no window is needed."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from client.games.static_match import LocalMatch
from client.network.model import MatchModel
from client.network.nearby import NO_INTERFACES, Nearby
from client.network.server_connection import ConnectionState
from client.player.seats import HOSTED, SavedSeat
from client.player.settings import Settings
from client.player.table_options import TableOptions
from client.text_client.registry import GAME_TEXTS
from client.text_client.table import TextTable
from client.text_client.terminal import speakable
from client.text_client.text_program import TextProgram, _changes
from protocol.announcement import Announcement, Near
from protocol.session import ClientSession
from shared.actions import typed as kinds
from shared.actions.grammar import PhraseContext
from shared.actions.name_lookup import Misread, find
from shared.actions.registry import ACTIONS
from shared.board import BOARD
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.mechanics.armies import army_of
from shared.messages import SeatInfo, TableInfo, TableState, Welcome
from shared.rulesets.classic.actions import March
from shared.rulesets.cote2 import frames as cote2
from shared.rulesets.cote2.state import LEADERS
from shared.rulesets.registry import RULESETS
from shared.tables import LOOKING_ON, SeatKind, TablePhase
from tests.client.conftest import Server
from tests.client.test_name import wait_for

ROOT = Path(__file__).parents[2]
SEATS = (SeatInfo(SeatKind.PERSON, "Livia"), SeatInfo(SeatKind.PERSON, "Marcus"))


class Still(LocalMatch):
    """A match without a server, as the table in words sees one."""

    def options(self) -> Sequence[Action]:
        return engine.options(self.rules, self.view, self.seat) if self.is_mine else ()

    def seconds_left(self) -> None:
        return None


def still(ruleset: str = "classic", seats: int = 3, seed: int = 1) -> Still:
    """Return the first position, seen by the player who decides first."""
    match = Still(RULESETS[ruleset], seats, seed=seed)
    match.seat = match.owed()[0]
    return match


@pytest.mark.long
@pytest.mark.parametrize("ruleset", GAME_TEXTS)
def test_every_command_that_is_offered_is_understood(ruleset: str) -> None:
    chance, grammar = Random(3), ACTIONS[ruleset].grammar
    said: set[type[Action]] = set()
    for seed in range(3):
        match = still(ruleset, 4, seed)
        while not match.finished and match.version < 120:
            match.seat = chance.choice(match.owed())
            options, scene = match.options(), PhraseContext(match.view, match.seat, match.name)
            for option in chance.sample(options, min(3, len(options))):
                words = grammar.say(option, scene)
                ways = grammar.read(words, scene, grammar.of(options))
                assert ways is not None, words
                assert next((way for way in ways if match.check(way) is None), None) == option, words
                said.add(type(option))
            match.play(match.seat, chance.choice(options))
    assert len(said) > 10, said


@pytest.mark.parametrize("ruleset", GAME_TEXTS)
def test_every_action_of_a_person_has_a_command(ruleset: str) -> None:
    """Only what chance says has none."""
    union = RULESETS[ruleset].action_decoder.type
    kinds_of_actions = {kind for kind in union.__args__ if kind.__name__ not in ("Rolled", "Drawn", "Dealt")}
    assert {phrase.action for phrase in ACTIONS[ruleset].grammar.phrases} == kinds_of_actions


@pytest.mark.parametrize("ruleset", GAME_TEXTS)
def test_a_player_named_like_a_part_of_a_command_goes_by_number(ruleset: str) -> None:
    keys = {part.key for phrase in ACTIONS[ruleset].grammar.phrases for part in phrase.parts}
    assert keys - {""} <= kinds.KEYS
    match = still(ruleset)
    named = PhraseContext(match.view, 0, lambda seat: ("Livia", "Ned of York", "Livia the Tall")[seat])
    assert [kinds.player_name(seat, named) for seat in range(3)] == ["Livia", "player 2", "Livia the Tall"]


@pytest.mark.parametrize(
    ("typed", "place"),
    [("gallia", ""), ("pont", "Pontus et Bithynia"), ("PONTUS ET", "Pontus et Bithynia"), ("tyrr", "Mare Tyrrhenum")],
)
def test_names_may_be_shortened_as_far_as_they_stay_unique(typed: str, place: str) -> None:
    names = [(name, name) for name in BOARD.names]
    if place:
        assert find(typed, names, "place") == place
    else:
        with pytest.raises(Misread, match="no place called"):
            find(typed, names, "place")


def test_a_name_that_may_mean_several_says_which() -> None:
    with pytest.raises(Misread, match=r"may be Macedonia, Mesopotamia or Moesia\.$"):
        find("m", [(name, name) for name in BOARD.names[: BOARD.provinces]], "province")


def test_a_march_without_a_named_leader_is_led_by_any_that_can() -> None:
    match = still()
    table = TextTable(match, print)
    home = BOARD.names[match.view.home[match.seat]]
    to = next(BOARD.names[option.to] for option in match.options() if isinstance(option, March))
    (answer,) = table.read(f"march 3 infantry from {home} to {to}")
    assert answer == f"> march 3 infantry from {home} to {to} with general 1"
    assert match.view.units[BOARD.names.index(to)][1] == 3


def test_all_units_march_by_one_word() -> None:
    match = still()
    march = next(option for option in match.options() if isinstance(option, March))
    home, to = BOARD.names[march.source], BOARD.names[march.to]
    TextTable(match, print).read(f"march all from {home} to {to}")
    assert match.view.units[march.source] == ()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("march 3 infantry", "Say it so: march UNITS from PROVINCE to PROVINCE"),
        ("march 99 infantry from HOME to HOME", "CL-"),
        ("buy 3 infantry", "It is the movement phase"),
        ("jump", "There is no command called “jump”."),
        ("99", "There is no option 99."),
        ("look nowhere", "There is no province or sea zone called “nowhere”."),
        ("march three from HOME to HOME", "cannot be counted"),
        ("end", "> end movement"),
        ("clock", "There is no clock."),
    ],
)
def test_every_line_has_an_answer_in_words(typed: str, answer: str) -> None:
    match = still()
    home = BOARD.names[match.view.home[match.seat]]
    assert answer in "\n".join(TextTable(match, print).read(typed.replace("HOME", home)))


def test_the_host_is_marked_in_the_room_and_the_next_one_is_told() -> None:
    table = TableState("m1", "Ides", "classic", {}, True, "", TablePhase.GATHERING, 0, False, 0, 0, SEATS, 1)
    before = replace(table, host_number=1)

    def name(seat: int) -> str:
        return SEATS[seat].name

    assert {"Seat 1: Livia (host) (you).", "Seat 2: Marcus."} <= set(_changes(None, before, name))
    assert _changes(before, replace(before, host_number=2), name)[0] == "Seat 2: Marcus (host)."


@pytest.mark.parametrize("ruleset", GAME_TEXTS)
def test_spectators_have_nothing_to_decide_during_chance(ruleset: str) -> None:
    rules = RULESETS[ruleset]
    table = TableState("m1", "Ides", ruleset, {}, True, "", TablePhase.PLAYING, LOOKING_ON, False, 0, 0, SEATS, 1)
    model = MatchModel(rules, table, ClientSession("Gaius"), lambda data: None)
    model.view = rules.view(engine.start(rules, 2, engine.checked_options(rules, 2, {}), engine.ignore_event), None)
    assert model.owed() == (NATURE,)
    assert TextTable(model, print).read("options") == ["You have nothing to decide now."]


def test_conceding_is_confirmed_first() -> None:
    match = still()
    table = TextTable(match, print)
    other = match.name((match.seat + 1) % 3)
    assert "Really" in table.read(f"concede to {other}")[0]
    assert table.read("clock") == ["There is no clock."]
    assert "yes" in table.read("yes")[0], "another line took it back"
    table.read(f"concede to {other}")
    table.read("yes")
    assert match.view.conceded[match.seat] == (match.seat + 1) % 3


def test_a_decision_is_announced_once_and_its_few_options_are_listed() -> None:
    match = still()
    table = TextTable(match, print)
    first = table.announce()
    assert first[0] == "You: Movement. March, sail, or end the movement."
    assert "options: “options” lists them" in first[1]
    assert table.announce() == []
    table.read("end movement")
    assert match.is_mine
    assert table.announce()[1] == "1. keep cities"


@pytest.mark.parametrize("ruleset", GAME_TEXTS)
def test_nothing_that_is_printed_speaks_of_the_mouse(ruleset: str) -> None:
    chance, match = Random(2), still(ruleset, 4)
    table = TextTable(match, print)
    asks = ["look", "owed", "help", "help all", "pieces", "standings", "chronicle", *GAME_TEXTS[ruleset].sheets]
    for _ in range(150):
        if match.finished:
            break
        match.seat = match.owed()[0]
        lines = [*table.hear(match.take_events()), *table.announce()]
        lines += [line for ask in chance.sample(asks, 2) for line in table.read(ask)]
        lines += table.read(f"look {BOARD.names[chance.randrange(BOARD.spaces)]}")
        wrong = [line for line in lines if {"click", "lit", "tab", "below"} & set(line.lower().split())]
        assert not wrong
        match.play(match.seat, chance.choice(match.options()))


def test_a_terminal_that_knows_ascii_alone_gets_it() -> None:
    assert speakable("“Zoë” … 3", "ascii") == '"Zoe" ... 3'
    assert speakable("“Zoë”", "utf-8") == "“Zoë”"
    assert speakable("Αθηνά", "ascii") == "Athina"


def test_a_server_that_stays_away_is_told_and_ends_it_with_a_status() -> None:
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    reader._hear(ConnectionState("gave-up", "The server does not answer."))
    assert (said, reader.ended, reader.status) == (["The server does not answer."], True, 1)


def test_a_line_waits_after_a_lost_connection_until_the_seat_is_back(server: Server) -> None:
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    reader.open(server.address, TableOptions(seats=3))
    wait_for(reader, lambda: reader.remote.match is not None and not reader.busy)
    reader._hear(ConnectionState("up"))
    assert said[-1] == "Connected again." and reader.busy, "the server would refuse a line"
    assert reader.table is not None and reader.table.match.table is not None
    assert reader.table.match.table.title == "Livia's table"
    reader._hear(reader.table.match.table)
    assert not reader.busy
    reader.close()


def test_pages_of_the_operator_are_told_once(tmp_path: Path) -> None:
    server = Server(tmp_path / "server", 0, "--pages", str(ROOT / "deploy" / "pages"))
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    reader.join(server.address, "")
    wait_for(reader, lambda: reader.remote.lobby.known)
    welcome = reader.remote.access.session
    assert welcome is not None
    reader._hear(Welcome(1, "Livia", "", (), welcome.can))
    pages = " ".join(f"http://{server.address}/{name}" for name in ("terms", "privacy", "contact"))
    assert [line for line in said if "/terms" in line] == [f"What holds here, and who runs this server: {pages}"]
    reader.close()
    server.kill()


def test_a_host_is_told_of_the_match_that_goes_on_there(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    monkeypatch.setattr(reader, "open", lambda _address, _plan: None)
    seat = SavedSeat(HOSTED, "m1", b"t", "Ides of m1", game="classic", people=("Bob",))
    reader._seats.keep(seat)
    reader._seats.keep(replace(seat, match="m2", state="over"))
    reader.host(TableOptions(), 8600)
    assert said == [
        "A match of yours goes on there: Ides of m1. Classic, against Bob.",
        "“leave” and then “continue” take it up again.",
    ]


@pytest.mark.long
def test_it_speaks_the_language_of_the_player(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "client", "table", "--text"], cwd=ROOT, input="help\n", capture_output=True, text=True,
        check=True, env={**os.environ, "CONQUEST_HOME": str(home), "CONQUEST_LANGUAGE": "de"}, encoding="utf-8",
    )  # fmt: skip
    assert "Du hast in keinem Spiel einen Platz." in done.stdout
    assert "tables: die Tische dieses Servers." in done.stdout, "commands stay as they are"


def test_it_starts_without_a_window_toolkit(home: Path) -> None:
    program = (
        "import sys; from client.command_line import main; status = main(['table', '--text']);"
        "assert status == 0; print(sorted({'arcade', 'pyglet', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, input="games\nquit\n", capture_output=True, text=True, check=True,
        env={**os.environ, "CONQUEST_HOME": str(home), "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.stdout.splitlines() == ["You hold no seat in any game."] * 2 + ["[]"]


def conquest_two(seed: int, wanted: type[Frame]) -> tuple[Still, TextTable]:
    """Return a match of the second game at such a decision, seen by the player who owes it."""
    chance, match = Random(seed), still("cote2", 4, seed)
    while not isinstance(match.view.frames[-1], wanted):
        match.seat = match.owed()[0]
        match.play(match.seat, chance.choice(match.options()))
    match.seat = match.owed()[0]
    return match, TextTable(match, print)


def test_a_bid_names_talents_and_who_stands_in_which_box() -> None:
    _match, table = conquest_two(1, cote2.Auction)
    assert table.read("bid 10 a marcus b livia") == ["> bid 10 a Marcus b Livia"]
    assert table.read("alliances")[0] == "You: 10 talents – You in A and Livia in B."


def test_one_word_moves_all_units_of_a_province_in_cote2() -> None:
    match, table = conquest_two(1, cote2.Turn)
    source = match.view.leader_at[match.seat * LEADERS]
    army = army_of(match.view.units[source], match.seat)
    reached = next(to for to in BOARD.land[source] if not match.view.units[to])
    (answer,) = table.read(f"move all to {BOARD.names[reached]} from {BOARD.names[source]}")
    assert answer.startswith("> move "), answer
    assert army_of(match.view.units[reached], match.seat) == army
    assert match.view.leader_at[match.seat * LEADERS] == reached


def test_a_refused_command_says_what_the_rules_say() -> None:
    _match, table = conquest_two(1, cote2.Turn)
    (answer,) = table.read("levy 33")
    assert answer == "A special tax brings 5 to 25 talents, in steps of 5. (II-TAX-01)"


def test_a_card_is_read_by_its_name() -> None:
    _match, table = conquest_two(1, cote2.Turn)
    (answer,) = table.read("cards hail")
    assert answer.startswith("Senate Vote: Hail Caesar!: 15 talents.")


@pytest.mark.parametrize("seed", range(3))
def test_hands_of_others_stay_hidden(seed: int) -> None:
    """Whatever is asked, the answers are the same whichever senators and chaos the others have."""
    match, table = conquest_two(seed, cote2.Turn)
    asks = ["look", "owed", "options", "pieces", "standings", *GAME_TEXTS["cote2"].sheets]
    before = [table.read(ask) for ask in asks]
    for seat in set(range(4)) - {match.seat}:
        match.state.senators[seat] = match.state.senators[seat][::-1]
        match.state.chaos[seat] += 3
    assert [table.read(ask) for ask in asks] == before
    match.state.senators[match.seat] = (0, 0, 0, 4)
    assert "You: Senators IV (4)." in table.read("senate"), "one's own are read"


class Hurried(Still):
    """Match with a clock that the test sets."""

    left: float | None = 31.0

    def seconds_left(self) -> float | None:  # type: ignore[override]
        return self.left


def test_the_last_half_minute_is_told_once() -> None:
    match = Hurried(RULESETS["classic"], 3, seed=1)
    match.seat = match.owed()[0]
    table, said = TextTable(match, print), []
    for match.left in (31.0, 30.0, 29.0, 12.0, 40.0, 29.6):
        said.append([line for line in table.announce() if "left." in line])
    assert said == [[], ["30 seconds left."], [], [], [], ["30 seconds left."]]


def test_a_number_means_what_was_listed_last() -> None:
    match = still()
    table = TextTable(match, print)
    table.announce()
    first = match.options()[0]
    match.options = lambda: [*engine.options(match.rules, match.view, match.seat)][::-1]  # type: ignore[method-assign]
    (answer,) = table.read("1")
    assert answer == f"> {ACTIONS['classic'].grammar.say(first, table.scene)}"


def test_a_table_keeps_its_number_until_the_next_list() -> None:
    reader = TextProgram(Settings(name="Livia"), lambda line: None)
    reader._need_server = lambda: None  # type: ignore[method-assign]
    tables = reader.remote.lobby.tables
    tables["m1"] = TableInfo("m1", "Ides", "classic", 3, 1, 0, TablePhase.GATHERING)
    reader._tables("")
    tables["m0"] = TableInfo("m0", "Nones", "classic", 3, 2, 0, TablePhase.GATHERING)
    assert reader._listed("1") == ("m1", "")
    reader._tables("")
    assert reader._listed("1") == ("m0", "")


def test_tables_nearby_are_listed_as_they_appear_and_joined_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    nearby = reader.nearby = Nearby(NO_INTERFACES)
    reader.look_nearby(("Ada", "Bob"))
    ides = Announcement("m1", "mb1984", "Ides", "Gaius", 4, 1, TablePhase.GATHERING)
    nones = Announcement("m2", "cote2", "Nones", "Marcus", 3, 2, TablePhase.GATHERING)
    nearby.tables = (Near(ides, "10.0.0.7:8600"),)
    reader.update()
    nearby.tables = (Near(nones, "10.0.0.8:8600"), Near(ides, "10.0.0.7:8600"))
    reader.update()
    reader.update()
    assert said[1:] == [
        "1. Ides: 1984, Gaius, 1 of 4 seats, waiting.", "2. Nones: Conquest II, Marcus, 2 of 3 seats, waiting.",
    ]  # fmt: skip
    gone: list[tuple[object, ...]] = []
    monkeypatch.setattr(reader, "_go", lambda address, _wish, **more: gone.append((address, more["people"])))
    reader.read("join 1")
    assert gone == [("10.0.0.7:8600", ("Ada", "Bob"))]
