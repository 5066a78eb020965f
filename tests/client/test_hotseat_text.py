"""Several people at one computer, in words: turns change hands, and no person reads what is another's."""

import random
import time
from collections.abc import Callable

import pytest

from client.network.local_players import names_of
from client.player import settings
from client.player.settings import Settings
from client.player.table_options import TableOptions
from client.text_client.text_program import TextProgram
from shared.tables import TablePhase
from tests.client.conftest import Server
from tests.support.marks import in_stages

CURTAIN = {
    "Hand over to Ada.",
    "Hand over to Bob.",
    "Ada: an empty line shows your view, once you are alone at the screen.",
    "Bob: an empty line shows your view, once you are alone at the screen.",
}


class Shared:
    """Text client that Ada and Bob share, with all that it printed, by the person who was at the screen."""

    def __init__(self, mine: Settings) -> None:
        self.printed: dict[str, list[str]] = {"": [], "Ada": [], "Bob": []}
        self.cleared = 0
        self.reader = TextProgram(mine, self._print, self._clear)
        self.chance = random.Random(4)
        self.handed: list[str] = []
        self.readable: dict[str, set[str]] = {"Ada": set(), "Bob": set()}
        self.secrets: dict[str, set[str]] = {"Ada": set(), "Bob": set()}

    @property
    def at(self) -> str:
        people = self.reader.people
        return "" if people.hidden else people.name(people.at)

    def _print(self, line: str) -> None:
        self.printed[self.at].append(line)

    def _clear(self) -> None:
        self.cleared += 1

    def until(self, reached: Callable[[], object], seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not reached():
            assert time.monotonic() < end, {name: lines[-12:] for name, lines in self.printed.items()}
            self.reader.update()
            time.sleep(0.001)

    def decide(self) -> None:
        """Do the next thing that one of them has to do."""
        reader = self.reader
        self.until(lambda: not reader.busy and (reader.people.hidden or reader._due >= 0 or self.over or self.owed))
        match = reader.remote.match
        assert match is not None
        if reader.people.hidden or reader._due >= 0:
            reader.read("")
            self.handed.append(self.at)
        elif self.owed:
            self._note_secrets()
            reader.read("look")
            reader.read("senate")
            reader.read(str(self.chance.randint(1, len(match.options()))))
            reader.read("yes")

    @property
    def owed(self) -> bool:
        match = self.reader.remote.match
        return match is not None and match.is_mine and self.reader.people.due_player() is None

    @property
    def over(self) -> bool:
        match = self.reader.remote.match
        return match is not None and match.over

    def begin(self, server: Server, ruleset: str, *, curtain: bool = False, **options: int) -> None:
        plan = TableOptions(ruleset, 3, options=options, people=("Ada", "Bob"), curtain=curtain)
        self.reader.open(server.address, plan, ("easy",))
        self.until(lambda: self.reader.remote.match is not None and self.reader.remote.match.view is not None)

    def _note_secrets(self) -> None:
        """Note the lines that only one of them could read now."""
        tables = {each.match.name(each.match.seat): each for each in self.reader._by_person.values()}
        if len(tables) == 2 and all(table.match.view is not None for table in tables.values()):
            readable = {name: {*table.read("look"), *table.read("senate")} for name, table in tables.items()}
            for name, other in (("Ada", "Bob"), ("Bob", "Ada")):
                self.readable[name] |= readable[name]
                self.secrets[name] |= readable[name] - readable[other]


def play(shared: Shared, decisions: int) -> None:
    for _ in range(decisions):
        if shared.over:
            return
        shared.decide()


def test_a_curtain_falls_between_two_people_and_shows_nothing(server: Server) -> None:
    shared = Shared(Settings(name="Ada", known=False))
    shared.begin(server, "cote2")
    play(shared, 60)
    assert set(shared.printed[""]) <= {*CURTAIN, "Since you were here:"}, "only the curtain"
    assert shared.cleared >= 4 and {"Ada", "Bob"} <= set(shared.handed)
    for name, other in (("Ada", "Bob"), ("Bob", "Ada")):
        # What the other could read at another time is no secret: both have been equally strong.
        own = {line for line in shared.secrets[name] - shared.readable[other] if line.startswith(("You", name))}
        assert len(own) > 1 and own & set(shared.printed[name]), "there are secrets"
        assert not own & set(shared.printed[other])
    shared.reader.close()


def test_without_secrets_the_turn_changes_without_a_curtain(server: Server) -> None:
    shared = Shared(Settings(name="Ada", known=False))
    shared.begin(server, "classic", round_limit=3)
    play(shared, 12)
    assert not shared.cleared and not shared.printed[""]
    assert "Now Bob:" in shared.printed["Bob"] and "Now Ada:" in shared.printed["Ada"]
    assert [line for line in shared.printed["Bob"] if line.startswith("You: ")]
    shared.reader.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("ruleset", in_stages(["classic", "mb1984", "cote2"], ["mb1984"], []))
def test_a_whole_match_goes_on_after_the_program_and_the_server_were_killed(server: Server, ruleset: str) -> None:
    first = Shared(settings.load())
    limits = {} if ruleset == "cote2" else {"round_limit": 2}
    first.begin(server, ruleset, curtain=True, **limits)
    play(first, 10)
    first.reader.people.end()  # Nothing more is saved, as when the program is killed.
    second = Shared(settings.load())
    second.reader.read("games")
    assert len(second.reader._held) == 1, "one row for both"
    second.printed[""].clear()
    second.reader.read("continue 1")
    second.until(lambda: second.reader.people.hidden)
    assert second.reader.people.many
    play(second, 10)
    server.kill()
    revived = Server(server.data, server.port)
    try:
        play(second, 3000)
        assert second.over and {"Ada", "Bob"} <= set(second.handed)
        assert not [line for line in second.printed[""] if line.startswith(("You", "Still you", "Since"))]
    finally:
        second.reader.close()
        revived.kill()


@pytest.mark.parametrize("typed", ["Ada", "Ada,ada", "a,b,c,d,e,f,g", "", ","])
def test_too_few_too_many_and_equal_names_are_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="share this computer"):
        names_of(typed)


def test_two_share_a_table_with_a_player_elsewhere_and_vote_one_after_the_other(server: Server) -> None:
    shared = Shared(Settings(name="Ada", known=False))
    shared.reader.open(server.address, TableOptions("classic", 3, people=("Ada", "Bob")))
    shared.until(lambda: shared.reader._shown is not None and not shared.reader.busy)
    said: list[str] = []
    gaius = TextProgram(Settings(name="Gaius", known=False), said.append)
    gaius.join(server.address, shared.reader._state().code)

    def both() -> bool:
        gaius.update()
        match = shared.reader.remote.match
        table = match.table if match is not None else None
        return table is not None and [info.name for info in table.seats] == ["Ada", "Bob", "Gaius"]

    shared.until(both)
    shared.reader.read("start")

    def begun() -> bool:
        gaius.update()
        mine = shared.reader.remote.match
        return (
            mine is not None
            and mine.view is not None
            and mine.table is not None
            and mine.table.phase == TablePhase.PLAYING
        )

    shared.until(begun)
    asker = shared.at
    shared.reader.read("ask pause")
    shared.until(lambda: shared.at != asker)
    shared.reader.read("vote yes")
    match = shared.reader.remote.match
    assert match is not None
    shared.until(lambda: match.paused)
    assert not gaius.busy and gaius.remote.match is not None
    gaius.remote.match.view = None  # As between the word that the match has begun and its first position.
    assert gaius.busy, "lines typed now wait"
    shared.reader.close()
    gaius.close()


@pytest.mark.long
def test_all_come_along_to_a_rematch_and_leave_together(server: Server) -> None:
    shared = Shared(Settings(name="Ada", known=False))
    shared.begin(server, "classic", round_limit=1)
    play(shared, 3000)
    first = shared.reader.remote.match
    assert shared.over and first is not None
    shared.reader.read("rematch")
    assert first.table is not None
    ended = first.table.match

    def arrived() -> bool:
        matches = [remote.match for remote in shared.reader.people.everyone]
        tables = {match.table.match for match in matches if match is not None and match.table is not None}
        return len(matches) == 2 and None not in matches and len(tables) == 1 and ended not in tables

    shared.until(arrived)
    shared.until(lambda: not shared.reader.busy)
    names = [info.name for info in shared.reader._state().seats]
    assert {"Ada", "Bob"} <= set(names)
    shared.reader.read("leave")
    shared.until(lambda: shared.reader.table is None)
    assert not shared.reader.people.many
    shared.reader.read("tables")
    shared.reader.close()


def test_the_hot_seat_is_chosen_in_the_running_program(server: Server) -> None:
    shared = Shared(Settings(name="Ada", known=False))
    reader = shared.reader
    reader.join(server.address, "")
    shared.until(lambda: not reader.busy)
    printed = shared.printed[""]
    reader.read("create classic hotseat=ada")
    assert printed[-1] == "People who share this computer need different names."
    reader.read("create classic 2 hotseat=Bob,Cleo")
    assert printed[-1] == "The table needs a seat for each of you: at least 3."
    reader.read("create classic 3 hotseat=Bob")
    shared.until(lambda: not reader.busy and reader.remote.match is not None)
    table = reader.remote.match.table if reader.remote.match is not None else None
    shared.until(lambda: table is not None and not reader.people.arriving)
    names = [each.match.name(each.match.seat) for each in reader.people.everyone if each.match is not None]
    assert (names, reader.people.curtained) == (["Ada", "Bob"], False)
