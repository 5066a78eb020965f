"""`conquest-server arena`: seats, statistics and output."""

import argparse
import json
import random
import shutil
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from server.bots import policy
from server.bots.search.budget import Thinking
from server.tools import arena
from server.tools.arena import ArenaMatch, ArenaResult
from shared.kernel import engine
from shared.levels import A_DECISION, A_ROUND, HARD
from shared.rulesets.registry import ruleset
from tests.support.marks import mostly_long

ROOT = Path(__file__).parents[2]
POLICY = "server/bots/policy.py"
KEYS = {"games", "finished", "rounds_median", "rounds_max", "seconds", "levels"}
LEVEL = {"games", "wins", "win_low", "win_high", "mean_rank", "mean_score", "seconds_p50", "seconds_p95", "faults"}
FIXTURE = "server.bots.policy:play_normal"
ENTRY = ArenaMatch("mb1984", ("random", "random"), 3, 4, {})


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    arena.add_arguments(parser)
    return parser.parse_args(words)


def reported(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return the output of a run with --json, decoded."""
    assert arena.run(arguments(*words, "--json")) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_prints_one_json_object(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--ruleset", "mb1984", "--lineup", f"random,{FIXTURE},random", "--games", "3", "--rounds", "3")
    found = reported(capsys, *words, "--jobs", jobs)
    assert set(found) == KEYS and set(found["levels"]) == {"random", FIXTURE}
    assert found["games"] == 3 and found["finished"] == 0
    assert found["rounds_median"] == found["rounds_max"] == 3
    assert all(set(level) == LEVEL for level in found["levels"].values())
    assert found["levels"]["random"]["games"] == 6 and found["levels"][FIXTURE]["games"] == 3
    assert found["levels"][FIXTURE]["mean_rank"] == 1 and found["levels"][FIXTURE]["mean_score"] > 20
    assert 0 < found["levels"]["random"]["seconds_p50"] <= found["levels"]["random"]["seconds_p95"]


def test_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena.run(arguments("--ruleset", "cote2", "--lineup", "random,random", "--games", "1", "--jobs", "1")) == 0
    shown = capsys.readouterr()
    assert "1 of 1 matches over" in shown.out and not shown.err


def test_each_bot_plays_every_seat_with_the_same_dice() -> None:
    line = ("random", "normal", FIXTURE)
    entries = list(arena.schedule("mb1984", line, arguments("--lineup", "", "--games", "7", "--seed", "5"), {}))
    assert [entry.seed for entry in entries] == [5, 5, 5, 6, 6, 6, 7]
    held = Counter((name, seat) for entry in entries[:6] for seat, name in enumerate(entry.lineup))
    assert set(held.values()) == {2} and len(held) == 9


def test_bots_have_tempers_as_at_a_table_or_the_one_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()

    def noted(name: str, thinking: Thinking | None = None) -> policy.Policy:
        asked.add(name)
        return policy.find(name, thinking)

    monkeypatch.setattr(arena, "player", noted)
    for seed in range(9):
        arena.play(ArenaMatch("mb1984", ("normal", "bold easy"), seed, 1, {}))
    assert asked == {"normal", "bold normal", "careful normal", "bold easy"}


def test_the_same_entry_goes_the_same_way() -> None:
    first, second = (arena.play(ENTRY) for _ in range(2))
    assert replace(first, thinking=()) == replace(second, thinking=())
    assert any(arena.play(replace(ENTRY, seed=seed)).scores != first.scores for seed in range(4, 9))


def test_an_undecided_match_has_no_winner_and_a_limit_of_the_rules_has_one() -> None:
    undecided, limited = arena.play(ENTRY), arena.play(replace(ENTRY, options={"round_limit": 3}))
    assert not undecided.finished and not any(undecided.won) and undecided.rounds == 4
    assert limited.finished and sum(limited.won) == 1 and limited.ranks[limited.won.index(True)] == 1


def result(won: int, *names: str) -> ArenaResult:
    """Return a match with one decision of a second for each seat, and two for the winner."""
    seats = range(len(names))
    times = tuple((1.0, 2.0) if seat == won else (1.0,) for seat in seats)
    ranks = tuple(1 if seat == won else 2 for seat in seats)
    return ArenaResult(
        replace(ENTRY, lineup=names), 10 + won, True, tuple(s == won for s in seats), ranks, ranks, times
    )


def test_counts_by_level() -> None:
    found = arena.report([result(0, "a", "b"), result(1, "b", "a"), result(0, "b", "a")], 1.26)
    assert (found.games, found.finished, found.rounds_median, found.rounds_max, found.seconds) == (3, 3, 10, 11, 1.3)
    a, b = found.levels["a"], found.levels["b"]
    assert (a.games, a.wins, b.wins, a.mean_rank, b.mean_score) == (3, 2, 1, 1.333, 1.67)
    assert (a.seconds_p50, a.seconds_p95, b.seconds_p50) == (1.0, 2.0, 1.0)


def test_the_interval_is_wilsons() -> None:
    """Against published values for 95 %."""
    assert arena.wilson(75, 100) == pytest.approx((0.6570, 0.8245), abs=1e-4)
    assert arena.wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert arena.wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    lows = [arena.wilson(wins, 20)[0] for wins in range(21)]
    assert all(low < high for low, high in pairwise(lows))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--lineup", "wise,random"), "wise"),
        (("--lineup", "random"), "2 to 6"),
        (("--lineup", "random,nowhere:play"), "nowhere"),
        (("--lineup", f"random,{FIXTURE}s"), "play_normals"),
        (("--lineup", "json:dumps,random"), r"'json:dumps' must be a function of \(rules, view, seat"),
        (("--lineup", "json:decoder,random"), "'json:decoder' must be a function"),
        (("--lineup", ":play,random"), "Player ':play' cannot be loaded"),
        (("--lineup", "easy@8,easy"), "Only hard bots take a number of tries"),
        (("--lineup", "hard@,easy"), "The number of tries must be 1 or more"),
        (("--lineup", "hard@0,easy"), "The number of tries must be 1 or more"),
        (("--lineup", "hard,easy", "--rollouts", "0"), "--rollouts must be 1 or more"),
        (("--lineup", "hard,easy", "--rollouts", "-5"), "--rollouts must be 1 or more"),
        (("--lineup", "hard,easy", "--seconds", "0"), "--seconds must be more than 0"),
        (("--lineup", "hard,easy", "--seconds", "inf"), "--seconds must be more than 0"),
        (
            ("--lineup", "random,random", "--option", "help"),
            "Options of Conquest of the Empire Classic.*\nround_limit=",
        ),
        (("--lineup", "random,random", "--games", "0"), "must be 1 or more"),
        (("--lineup", "random,random", "--jobs", "0"), "must be 1 or more"),
        (("--lineup", "random,random", "--option", "homes=99"), "homes"),
    ],
)
def test_says_what_is_wrong(words: tuple[str, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        arena.run(arguments(*words))


def breaks(*_question: Any) -> Any:
    raise LookupError("no way out")


def says_nothing(*_question: Any) -> Any:
    return None


def passes_for_another(rules: Any, _view: Any, _seat: int, _chance: Any) -> Any:
    """Roll dice that chance owes."""
    return rules.action_decoder.decode(msgspec.msgpack.encode([32]))


@pytest.mark.parametrize("jobs", mostly_long(["1", "2"], "1"))
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("breaks", r"failed: LookupError: no way out \(.*test_arena.py, line \d+\)\.$"),
        ("says_nothing", "chose None, which is refused: "),
        ("passes_for_another", "chose .*, which is refused: "),
    ],
)
def test_errors_of_an_own_player_function_are_told(name: str, says: str, jobs: str) -> None:
    lineup = f"{__name__}:{name},random"
    with pytest.raises(ValueError, match=f"^Player '{__name__}:{name}' {says}"):
        arena.run(arguments("--lineup", lineup, "--games", "2", "--jobs", jobs))


def installed(folder: Path, *edits: tuple[str, str, str]) -> str:
    """Return the Python of an installation with a copy of the packages; each edit is (file, text, new text)."""
    for package in ("shared", "protocol", "server"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "files"))
    for file, text, new in edits:
        source = (folder / file).read_text(encoding="utf-8")
        assert text in source
        (folder / file).write_text(source.replace(text, new), encoding="utf-8")
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={folder} exec {sys.executable} "$@"\n', encoding="utf-8")
    python.chmod(0o700)
    return str(python)


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="an installation is made with a shell script")
def test_two_installations_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The copy decides like this installation. The copy whose normal bots play at random loses to it."""
    same = installed(tmp_path / "same")
    weak = installed(tmp_path / "weak", (POLICY, "NORMAL: play_normal", "NORMAL: play_random"))
    words = ("--ruleset", "mb1984", "--games", "2", "--lineup")
    levels = reported(capsys, *words, f"normal={same},normal={weak}", "--jobs", "2")["levels"]
    assert (levels[f"normal={same}"]["wins"], levels[f"normal={weak}"]["wins"]) == (2, 0)
    levels = reported(capsys, *words, f"normal,normal={same}", "--jobs", "1")["levels"]
    assert levels["normal"]["wins"] + levels[f"normal={same}"]["wins"] == 2


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="an installation is made with a shell script")
def test_faults_of_another_installation_are_told(tmp_path: Path) -> None:
    python = installed(tmp_path)
    ends = installed(tmp_path / "ends", (POLICY, "find(name, thinking)", "sys.exit()"))
    for name, says, *more in (
        ("normal=nowhere/python", "There is no program 'nowhere/python'"),
        ("normal=true", "'true' has no bots: install conquest-empire"),
        (f"wise={python}", "There are no 'wise' bots"),
        (f"hard={python}", "think for --seconds", "--rollouts", "5"),
        (f"normal={ends}", "ended"),
    ):
        with pytest.raises(ValueError, match=says):
            arena.run(arguments("--lineup", f"{name},random", "--games", "1", "--jobs", "1", *more))


def test_a_bar_grows_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    arena.run(
        arguments("--ruleset", "mb1984", "--lineup", "random,random", "--games", "2", "--rounds", "1", "--jobs", "1")
    )
    shown = capsys.readouterr().err
    assert "1/2" in shown and shown.endswith("2/2\n")


def test_hard_bots_have_the_time_of_a_table_for_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, given = ruleset("mb1984"), list[float]()
    state: Any = engine.start(rules, 2, {}, engine.ignore_event)

    def asked(seconds: float) -> policy.Policy:
        given.append(round(seconds, 3))
        return policy.play_random

    clock = SimpleNamespace(perf_counter=iter([0.0, 0.7, 5.0, 5.1, 9.0, 9.0]).__next__)
    monkeypatch.setattr(arena, "time", clock)
    bot = arena.TimedBot(HARD, asked)
    for round_ in (1, 1, 2):
        state.round = round_
        bot.decide(rules, rules.view(state, 0), 0, random.Random(1))
    whole = A_ROUND * A_DECISION
    assert given == [round(seconds, 3) for seconds in (whole, whole - 0.7 * A_DECISION, whole)]


@pytest.mark.parametrize(("share", "found"), [(0.0, 1.0), (0.5, 3.0), (0.75, 4.0), (0.95, 4.0), (1.0, 4.0)])
def test_a_share_of_decisions_takes_at_most_so_long(share: float, found: float) -> None:
    assert arena._share([1.0, 2.0, 3.0, 4.0], share) == found


def test_options_of_the_rules_are_looked_at_before_anybody_plays() -> None:
    with pytest.raises(ValueError, match="takes 2 to 6 players"):
        arena.run(arguments("--lineup", "greedy", "--games", "1"))
    with pytest.raises(ValueError, match="round_limit"):
        arena.run(arguments("--lineup", "greedy,greedy", "--option", "round_limit=999999"))


def test_players_of_the_folder_that_one_stands_in_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    here = str(Path.cwd())
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry != here])
    for _ in range(2):
        arena._look_here()
        assert sys.path.count(here) == 1 and sys.path[-1] == here
