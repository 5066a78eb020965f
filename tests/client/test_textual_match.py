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

ROOT = Path(__file__).parents[2]
NUMBERED = re.compile(r"(\d+)\. (.+)")
MANY = re.compile(r"(\d+) options: ")


class Person:
    """Somebody at a terminal: the program at the other end of two pipes."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "client", *arguments]
        self._process = subprocess.Popen(
            command, cwd=ROOT, text=True, encoding="ascii", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )  # fmt: skip
        self.heard: list[str] = []

    def lines(self) -> Iterator[str]:
        """What is printed, as it comes, until the program ends."""
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


class House:
    """A server and those who come to it."""

    def __init__(self, data: Path) -> None:
        self.server = Server(data)
        self._there: list[Person] = []

    def sit(self, name: str, *arguments: str) -> Person:
        """Somebody comes."""
        self._there.append(Person("table", "--text", self.server.address, "--name", name, *arguments))
        return self._there[-1]

    def fall(self) -> None:
        """The server dies, and another one takes its place."""
        self.server.kill()
        self.server = Server(self.server.data, self.server.port)

    def clear(self) -> None:
        """Everybody goes."""
        for person in self._there:
            person.kill()
        self.server.kill()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house of the test's own."""
    made = House(tmp_path / "server")
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
    """One of the options that are listed, by number or in full; the list ends where it repeats its beginning."""
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
    ("ruleset", "options"), [("classic", "round_limit=3"), ("mb1984", "round_limit=3"), ("cote2", "")]
)
def test_a_whole_match_is_played_in_words_over_a_lost_connection(ruleset: str, options: str, house: House) -> None:
    livia = house.sit("Livia")
    livia.until("Welcome.")
    livia.type(f"create {ruleset} 3 {options}")
    livia.until("Seat 3: free.")
    livia.type("fill easy")
    livia.until("Everybody is here")
    livia.type("start")
    livia.until("The match is going on.")

    def fall() -> None:
        house.fall()
        livia.until("Connected again.")
        livia.type("owed")
        livia.until("You: ")

    assert decide(livia, random.Random(5), {12: fall}) > 20
    for place in range(1, 4):
        livia.until(f"{place}. ")
    assert livia.leave() == 0
    assert RULESETS[ruleset].title in " ".join(livia.heard)
    secrets = [line for line in livia.heard if re.match(r"(?!Livia)\w+ has Senators? ", line)]
    assert not secrets, "nobody sees what others hold"
