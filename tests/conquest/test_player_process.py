"""Players of other authors: they get views alone, and what goes wrong costs only their own decision."""

import argparse
import json
from pathlib import Path

import pytest

import conquest
from conquest.player_process import MOST_FAULTS, PlayerFault, PlayerProcess
from server.tools import arena, simulate
from server.tools.bot_client import OwnPlayer
from shared.rulesets.registry import ruleset
from tests.bots.test_arena import arguments, reported

AUTHOR = """
import os, time
import conquest

class Mine(conquest.Player):
    def decide(self, view, legal):
        print("a line that is no answer")
        assert not hasattr(view.raw, "pushed"), "the state reached a player"
        return legal.pick(self.chance)

class Words(Mine):
    def decide(self, view, legal):
        return "end movement"

class Loud(Mine):
    def decide(self, view, legal):
        os.write(1, "\\x1b[2J\\u202egnirts\\x07\\n".encode())
        raise ValueError("\\x1b]0;owned\\x07" + "x" * 3_000_000)

class Endless(Mine):
    def decide(self, view, legal):
        import gc, io
        pipe, = (each for each in gc.get_objects() if isinstance(each, io.BufferedWriter) and each.fileno() > 2)
        pipe.write(b"\\xff\\xff\\xff\\xff")
        while True:
            pipe.write(bytes(1_000_000))

class Broken(Mine):
    def decide(self, view, legal):
        raise KeyError("oops")


class Wrong(Mine):
    def decide(self, view, legal):
        if "end movement" not in legal:
            time.sleep(60)
        if view.round == 1:
            os._exit(3)
        return "end turn"
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """Return the file of an author's players."""
    (tmp_path / "mine.py").write_text(AUTHOR)
    return str(tmp_path / "mine.py")


async def test_a_player_in_a_process_decides_from_views(mine: str) -> None:
    rules, game = ruleset("classic"), conquest.new("classic", seats=2, seed=1)
    assert game.to_move == 0
    player = PlayerProcess(f"{mine}:Mine")
    try:
        first = player.decide(rules, game.observe(0).raw, 0, "a", "7")
        assert first in [action.raw for action in game.legal().choices]
        assert player.decide(rules, game.observe(0).raw, 0, "b", "7") == first, "a new match begins with its seed"
    finally:
        player.close()
    own = OwnPlayer(f"{mine}:Words")
    try:
        packed = await own.decide("classic", "", 0, _encoded(game), 1)
    finally:
        own.close()
    assert packed == game.parse("end movement").packed


def _encoded(game: conquest.Game) -> bytes:
    from protocol import codec

    return codec.encode(game.observe(0).raw)


@pytest.mark.long
def test_what_goes_wrong_is_a_fault_of_that_decision(mine: str) -> None:
    rules, game = ruleset("classic"), conquest.new("classic", seats=2, seed=1)
    player, view = PlayerProcess(f"{mine}:Wrong"), game.observe(0).raw
    try:
        with pytest.raises(PlayerFault, match="has ended"):
            player.decide(rules, view, 0, "a", "")
        game.play("end movement")
        with pytest.raises(PlayerFault, match=r"longer than 0.05 seconds"):
            player.decide(rules, game.observe(0).raw, 0, "a", "", deadline=0.05)
        player.faults = MOST_FAULTS
        with pytest.raises(PlayerFault, match="3 times in this match"):
            player.decide(rules, view, 0, "a", "")
    finally:
        player.close()


def test_a_player_fills_neither_memory_nor_terminal(mine: str, capfd: pytest.CaptureFixture[str]) -> None:
    rules, view = ruleset("classic"), conquest.new("classic", seats=2, seed=1).observe(0).raw
    for name, told in (("Loud", "ValueError"), ("Endless", "more than 65536 bytes")):
        player = PlayerProcess(f"{mine}:{name}")
        try:
            with pytest.raises(PlayerFault, match=told) as fault:
                player.decide(rules, view, 0, "a", "")
        finally:
            player.close()
        assert str(fault.value).isprintable() and len(str(fault.value)) <= 1000
    printed = capfd.readouterr().err
    assert " [2J gnirts" in printed and printed.replace("\n", "").isprintable()


def test_players_that_cannot_be_loaded_are_named(mine: str) -> None:
    with pytest.raises(ValueError, match="has no class 'Other' with a method decide"):
        PlayerProcess(f"{mine}:Other")
    with pytest.raises(ValueError, match="Name the players, once"):
        arena.run(arguments())


@pytest.mark.exhaustive
def test_the_arena_goes_on_without_a_player_that_fails(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = (f"{mine}:Mine", f"{mine}:Wrong", "random")
    found = reported(capsys, *names, "--games", "2", "--rounds", "3", "--jobs", "1", "--deadline", "5")
    assert found["levels"][names[0]]["faults"] == 0 < found["levels"][names[1]]["faults"]
    assert found["games"] == 2


@pytest.mark.long
def test_what_a_player_loses_is_counted_and_told_once(mine: str, capfd: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    simulate.add_arguments(parser)
    words = ["--player", f"{mine}:Broken", "--players", "2", "--games", "1", "--max-actions", "6", "--json"]
    assert simulate.run(parser.parse_args(words)) == 0
    told = capfd.readouterr()
    assert 4 <= json.loads(told.out)["faults"] <= 6, "all but those of chance"
    assert told.err.count("lost a decision, and the default was played: KeyError: 'oops'") == 1
    assert told.err.count("Traceback") == 2, "one for each of the two players"
