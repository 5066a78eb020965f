"""Whole matches in words, against bots on a real server, by a reader who sees only the lines that are printed."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shared.rulesets.registry import RULESETS
from tests.client.conftest import Server
from tests.support.marks import pairs_in_stages

ROOT = Path(__file__).parents[2]
NUMBERED = re.compile(r"(\d+)\. (.+)")


class Person:
    """Player at a terminal: the program at the other end of two pipes."""

    def __init__(self, home: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "client", *arguments]
        self._process = subprocess.Popen(
            command, cwd=ROOT, text=True, encoding="ascii", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONIOENCODING": "ascii", "CONQUEST_HOME": str(home)},
        )  # fmt: skip
        self.heard: list[str] = []

    def lines(self) -> Iterator[str]:
        """Yield printed lines until the program ends."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.heard.append(line.rstrip("\n"))
            yield self.heard[-1]

    def until(self, words: str) -> str:
        """The next line with these words; fails where the program ends before."""
        for line in self.lines():
            if words in line:
                return line
        pytest.fail(f"never said {words!r}: {self.heard[-30:]}")

    def type(self, line: str) -> None:
        """Type a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def leave(self) -> int:
        """Type no more; the exit status."""
        self.type("quit")
        self.heard += self.lines()
        return self._process.wait()

    def kill(self) -> None:
        """End it without a goodbye."""
        self._process.kill()
        self._process.wait()


class ServerWithPlayers:
    """A server and the players' programs connected to it."""

    def __init__(self, data: Path) -> None:
        self.server = Server(data)
        self._there: list[Person] = []

    def sit(self, name: str, *arguments: str) -> Person:
        """Start a player's program."""
        home = self.server.data.parent / name
        self._there.append(Person(home, "table", "--text", self.server.address, "--name", name, *arguments))
        return self._there[-1]

    def fall(self) -> None:
        """Kill the server and start another in its place."""
        self.server.kill()
        self.server = Server(self.server.data, self.server.port)

    def clear(self) -> None:
        """End all programs and the server."""
        for person in self._there:
            person.kill()
        self.server.kill()


@pytest.fixture
def server_with_players(tmp_path: Path) -> Iterator[ServerWithPlayers]:
    """Start a server for this test."""
    made = ServerWithPlayers(tmp_path / "server")
    yield made
    made.clear()


def decide(person: Person, chance: random.Random, after: dict[int, Callable[[], object]]) -> int:
    """Answer whatever is asked until the match is over; how often. `after` so many answers something happens first."""
    answers = 0
    for line in person.lines():
        if "The game is over." in line:
            return answers
        if line.startswith(("You: ", "Still you: ")):
            answers += 1
            if answers in after:
                after[answers]()
            person.type(chance.choice(["look", "owed", "pieces", "senate", "battle"]))
            person.type("options")
            person.type(_choice(person, chance))
    pytest.fail(f"the program ended: {person.heard[-30:]}")


def _choice(person: Person, chance: random.Random) -> str:
    """Return one of the listed options, by number or in full; the list ends where it repeats its beginning."""
    person.type("clock")
    found: dict[str, str] = {}
    for line in person.lines():
        if line == "There is no clock.":
            break
        if numbered := NUMBERED.fullmatch(line):
            found[numbered[1]] = numbered[2]
    assert found, person.heard[-10:]
    number = chance.choice(list(found))
    return chance.choice([number, found[number]])


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("ruleset", "options"),
    pairs_in_stages(
        [("classic", "round_limit=3"), ("mb1984", "round_limit=3"), ("cote2", "")], [("classic", "round_limit=3")]
    ),
)
def test_a_whole_match_is_played_in_words_over_a_lost_connection(
    ruleset: str, options: str, server_with_players: ServerWithPlayers
) -> None:
    livia = server_with_players.sit("Livia")
    livia.until("Welcome.")
    livia.type(f"create {ruleset} 3 {options}")
    livia.until("Seat 3: free.")
    livia.type("fill easy")
    livia.until("Everybody is here")
    livia.type("start")
    livia.until("The match is going on.")

    def fall() -> None:
        server_with_players.fall()
        livia.until("Connected again.")
        livia.type("owed")
        livia.until("You: ")

    assert decide(livia, random.Random(5), {12: fall}) > 20
    for place in range(1, 4):
        livia.until(f"{place}. ")
    livia.until(" verified.")
    livia.type("rematch rotate")
    livia.until("Everybody is here")
    assert livia.leave() == 0
    assert RULESETS[ruleset].title in " ".join(livia.heard)
    secrets = [line for line in livia.heard if re.match(r"(?!Livia)\w+ has Senators? ", line)]
    assert not secrets, "nobody sees what others hold"


def opened(livia: Person, what: str) -> str:
    """The code of a table that she opens."""
    livia.until("Welcome.")
    livia.type(f"create {what}")
    return livia.until("Code: ").rpartition(" ")[2].rstrip(".")


@pytest.mark.long
def test_friends_meet_in_the_room_talk_look_on_and_come_back(server_with_players: ServerWithPlayers) -> None:
    livia = server_with_players.sit("Livia")
    code = opened(livia, "mb1984 4 pace=30m+20s/10m")
    livia.until("30 minutes each, 20 seconds more for every decision")
    livia.until(f"Friends type: conquest join {server_with_players.server.address} --code {code}")
    livia.until(f"/watch#{code}")
    marcus = server_with_players.sit("Marcus", "--code", code, "--seat", "3")
    marcus.until("Seat 3: Marcus (new) (you).")
    livia.until("Seat 3: Marcus (new).")
    marcus.type("say Ave, Livia!")
    livia.until("Marcus: Ave, Livia!")
    livia.type("start")
    livia.until("seat")
    livia.type("bot 2 easy")
    livia.until("Seat 2: Brutus (easy bot).")
    livia.type("bot 2 none")
    livia.until("Seat 2: free.")
    livia.type("seats 2")
    livia.until("Seat 2: Marcus (new).")
    gaius = server_with_players.sit("Gaius", "--watch", "--code", code)
    gaius.until("Seat 1: Livia (new) (host).")
    livia.type("start")
    for person in (livia, marcus, gaius):
        person.until("The match is going on.")
    gaius.type("options")
    gaius.until("You have nothing to decide now.")
    gaius.type("look")
    gaius.until("Livia, ")
    marcus.type("leave")
    marcus.until("You have left the table.")
    livia.until("Seat 2: Marcus, away")
    marcus.type("continue")
    marcus.until("Seat 2: Marcus (new) (you).")
    livia.until("Seat 2: Marcus (new).")
    assert marcus.leave() == 0
    again = server_with_players.sit("Marcus")
    again.until("You hold a seat here")
    again.type("continue 1")
    again.until("Seat 2: Marcus (new) (you).")


@pytest.mark.long
def test_impossible_actions_are_refused_in_words(server_with_players: ServerWithPlayers) -> None:
    livia = server_with_players.sit("Livia")
    livia.until("Welcome.")
    for typed, answer in (
        ("tables", "There are no open tables."),
        ("join", "Say which table"),
        ("join VENI42", "code"),
        ("create chess", 'There is no rule set called "chess"; there is classic, mb1984 and cote2.'),
        ("create classic 9", "takes 2 to 6 players"),
        ("create classic 3 round_limit=x", "round_limit"),
        ("create classic 3 pace=fast", "such as 30m+20s/10m"),
        ("continue", "You hold no such seat"),
        ("look", 'There is no command here called "look".'),
        ("help", "tables: the tables of this server."),
    ):
        livia.type(typed)
        livia.until(answer)
    livia.type("create classic 2")
    livia.until("Seat 2: free.")
    for typed, answer in (
        ("bot 7", "Say the number of a seat: 1 to 2."),
        ("bot 2 clever", 'There is no level called "clever"; there is easy, medium, strong, hard, expert and none.'),
        ("fill clever", 'There is no level called "clever"; there is easy, medium, strong, hard and expert.'),
        ("seats 9", "Say how many: 2 to 6."),
        ("rematch", "There is no command here"),
        ("say", "Say what?"),
    ):
        livia.type(typed)
        livia.until(answer)
    assert livia.leave() == 0


@pytest.mark.long
def test_a_table_against_bots_begins_by_itself_and_says_so_alone(tmp_path: Path) -> None:
    person = Person(tmp_path / "home", "play", "--text", "--players", "2", "--level", "easy", "--name", "Livia")
    person.until("The match is going on.")
    person.type("start")
    person.until('The match has begun: "start" is for the room before it.')
    assert person.leave() == 0
    assert not [line for line in person.heard if "Everybody is here" in line]


@pytest.mark.long
def test_kicking_is_confirmed_and_told(server_with_players: ServerWithPlayers) -> None:
    livia = server_with_players.sit("Livia")
    marcus = server_with_players.sit("Marcus", "--code", opened(livia, "classic 2"))
    livia.until("Seat 2: Marcus (new).")
    livia.type("kick 2")
    livia.until("Send Marcus away? Type yes or no.")
    livia.type("no")
    livia.until("Cancelled.")
    livia.type("kick 2")
    livia.type("yes")
    livia.until("Seat 2: free.")
    marcus.until("You have left the table.")


@pytest.mark.long
def test_missing_server_is_reported_with_its_reason(tmp_path: Path) -> None:
    person = Person(tmp_path / "home", "table", "--text", "127.0.0.1:1", "--name", "Livia")
    person.until("No server is listening at that address. Trying again ...")
    assert person.leave() == 0
