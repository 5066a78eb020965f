"""`conquest-server simulate`: its output and exit codes."""

import argparse
import itertools
import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from server.bots.policy import POLICIES
from server.tools import simulate
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import ruleset

CLASSIC = ruleset("classic")
KEYS = {
    "games", "finished", "capped", "actions", "decisions", "seconds", "actions_per_second", "invariant_checks",
    "check_seconds", "faults",
}  # fmt: skip


def simulated(*words: str) -> int:
    """Return the exit code of a command line."""
    parser = argparse.ArgumentParser()
    simulate.add_arguments(parser)
    return simulate.run(parser.parse_args(words))


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put rules with changed fields in the place of Classic."""

    def replace(**changes: Any) -> None:
        rules: AnyRuleset = msgspec.structs.replace(CLASSIC, **changes)
        monkeypatch.setattr(simulate, "ruleset", lambda _key: rules)

    return replace


@pytest.mark.parametrize("level", [("--level", "random"), ("--policy", "greedy")])
def test_prints_one_json_object(level: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated("--players", "6", "--games", "2", *level, "--max-actions", "400", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result) == KEYS
    assert result["games"] == result["finished"] + result["capped"] == 2
    assert result["invariant_checks"] == result["actions"] >= result["decisions"] > 0
    assert result["seconds"] > 0
    assert result["actions_per_second"] > 0


def test_the_same_seed_plays_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    counts = []
    for _ in range(2):
        assert simulated("--players", "2", "--games", "2", "--seed", "5", "--json", "--max-actions", "500") == 0
        result = json.loads(capsys.readouterr().out)
        counts.append((result["actions"], result["decisions"], result["finished"]))
    assert counts[0] == counts[1]


def test_stops_where_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated("--players", "6", "--games", "1", "--max-actions", "7", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["actions"], result["capped"], result["finished"]) == (7, 1, 0)
    assert simulated("--players", "6", "--games", "1", "--rounds", "1", "--json") == 0
    by_round = json.loads(capsys.readouterr().out)
    assert by_round["finished"] == 1
    assert by_round["actions"] > 7


def test_defaults_of_simulate() -> None:
    parser = argparse.ArgumentParser()
    simulate.add_arguments(parser)
    assert vars(parser.parse_args([])) == {
        "ruleset": "classic", "players": 4, "games": 10, "seed": 1, "level": "random", "max_actions": 100_000,
        "rounds": 0, "option": [], "check": "every", "replay": None, "json": False, "player": "",
    }  # fmt: skip
    assert "seconds: playing time (listing options, choosing, checking" in parser.format_help()


def test_a_single_action_of_a_single_game_suffices(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["simulate", "--games", "1", "--max-actions", "1", "--json"])
    assert simulate.main() == 0
    assert json.loads(capsys.readouterr().out)["actions"] == 1


def test_counts_add_up_over_all_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        simulated("--players", "3", "--games", "3", "--seed", "4", "--max-actions", "150", "--rounds", "3", "--json")
        == 0
    )
    result = json.loads(capsys.readouterr().out)
    games = [simulate.SimulatedGame(CLASSIC, 3, seed, {"round_limit": 3}) for seed in (4, 5, 6)]
    finished = [game.play(POLICIES["random"], 150, "none") for game in games]
    assert (result["finished"], result["capped"]) == (sum(finished), 3 - sum(finished))
    assert result["actions"] == result["invariant_checks"] == sum(len(game.log) for game in games)
    assert result["decisions"] == sum(map(decisions_of, games))


def decisions_of(game: simulate.SimulatedGame) -> int:
    """Return the number of decisions with a choice, counted by playing the log again."""
    state, count = engine.start(CLASSIC, game.players, game.options, engine.ignore_event), 0
    for seat, action in game.log:
        count += seat != NATURE and len(engine.options(CLASSIC, state, seat)) > 1
        engine.play(CLASSIC, state, seat, action, engine.ignore_event)
    return count


@pytest.mark.parametrize("policy", sorted({*POLICIES} - {"hard", "expert"}))
def test_every_decision_is_what_the_policy_says(policy: str) -> None:
    game = simulate.SimulatedGame(CLASSIC, 3, 8, {})
    game.play(POLICIES[policy], 200, "none")
    state, rng = engine.start(CLASSIC, 3, {}, engine.ignore_event), random.Random(8)
    for seat, action in game.log:
        chance = engine.chance_action(state, rng)
        expected = chance or POLICIES[policy](CLASSIC, CLASSIC.view(state, seat), seat, rng)
        assert action == expected
        engine.play(CLASSIC, state, seat, action, engine.ignore_event)


@pytest.mark.parametrize(
    ("tick", "seconds", "checks", "speed"), [(1.0, 21.0, 20.0, 1), (0.0001, 0.002, 0.002, 9524), (0.0, 0.0, 0.0, 0)]
)
def test_time_spent_on_checks_is_told_apart(
    tick: float, seconds: float, checks: float, speed: int,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """The clock goes on by one tick at each reading."""
    looks = itertools.count(1000)
    monkeypatch.setattr(simulate, "time", SimpleNamespace(perf_counter=lambda: next(looks) * tick))
    assert simulated("--games", "1", "--max-actions", "20", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["seconds"], result["check_seconds"], result["actions_per_second"]) == (seconds, checks, speed)


def test_unknown_chance_is_printed(broken: Any, capsys: pytest.CaptureFixture[str]) -> None:
    broken(handlers=changed("Purchase", owed=lambda *_: (NATURE,)))
    assert simulated("--players", "2", "--games", "1") == 1
    assert "chance owes Purchase" in json.loads(capsys.readouterr().out)["wrong"]


def changed(frame: str, **fields: Any) -> dict[Any, Any]:
    """Return the handlers with other fields for that kind of frame."""
    return {
        kind: msgspec.structs.replace(handler, **fields) if kind.__name__ == frame else handler
        for kind, handler in CLASSIC.handlers.items()
    }


def test_whether_a_match_that_broke_still_does_is_told(
    broken: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "failure.json"
    for fields, told in (
        ({"options": lambda *_: []}, "has no options"),
        ({"options": lambda *_: [CLASSIC.action_decoder.decode(msgspec.msgpack.encode([32]))]}, "which is refused"),
    ):
        broken(handlers=changed("Purchase", **fields))
        assert simulated("--players", "2", "--games", "1", "--seed", "6") == 1
        printed = capsys.readouterr()
        report = json.loads(printed.out)
        assert printed.err.startswith(f"Game 6 broke after {len(report['log'])} actions: ")
        report["log"] = [step for step in report["log"] if step[1] != [32]]
        kept.write_text(json.dumps(report), encoding="utf-8")
        assert simulated("--replay", str(kept)) == 1
        assert f"{kept} goes wrong: after {len(report['log'])} of " in (error := capsys.readouterr().err)
        assert told in error
        broken()
        assert simulated("--replay", str(kept)) == 0
        length = len(report["log"])
        expected = f"{kept}: {length} actions of classic with 2 players, all as they should be.\n"
        assert capsys.readouterr().out == expected


@pytest.mark.parametrize(("check", "checks"), [("every", 20), ("end", 1), ("none", 0)])
def test_checks_as_often_as_asked(check: str, checks: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated("--games", "1", "--max-actions", "20", "--check", check, "--json") == 0
    assert json.loads(capsys.readouterr().out)["invariant_checks"] == checks


def test_prints_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated("--games", "1", "--max-actions", "20") == 0
    out = capsys.readouterr().out
    assert [line[:20].strip() for line in out.splitlines()][:4] == ["games", "finished", "capped", "actions"]
    assert [line[20:].strip() for line in out.splitlines()][:4] == ["1", "0", "1", "20"]
    assert len(out.splitlines()) == len(KEYS) and {len(line) for line in out.splitlines()} == {32}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--players", "7"], "2 to 6 players"),
        (["--ruleset", "chess"], "chess"),
        (["--level", "oracle"], "easy, moderate, normal, hard, expert, random (greedy is normal by its earlier name)"),
        (["--policy", "oracle"], "easy, moderate, normal, hard, expert, random"),
        (["--option", "nonsense"], "must be KEY=VALUE, or help to list them, not 'nonsense'"),
        (["--check", "often"], "every, end, none"),
        (["--games", "0"], "--games and --max-actions must be 1 or more"),
        (["--max-actions", "0"], "--games and --max-actions must be 1 or more"),
    ],
)
def test_a_wrong_argument_is_one_sentence(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated(*words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert told in printed.err
    assert len(printed.err.splitlines()) == 1


def test_printed_games_can_be_replayed(broken: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """While the fault is there it is found again; when it is mended the same file is played to its end."""
    broken(invariants=lambda table: ["too many turns"] if table.round > 2 else [])
    assert simulated("--players", "3", "--option", "homes=1", "--seed", "3") == 1
    kept = tmp_path / "failure.json"
    kept.write_text(capsys.readouterr().out, encoding="utf-8")
    assert simulated("--replay", str(kept)) == 1
    assert "too many turns" in capsys.readouterr().err
    broken()
    assert simulated("--replay", str(kept)) == 0
    assert "all as they should be" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "not a recorded match"),
        (b"\xff", "not a recorded match"),
        (b'{"ruleset": "classic"}', "not a recorded match"),
        (b"[" * 100_000, "not a recorded match"),
        (b'{"ruleset":"chess","version":1,"seats":3,"options":{},"seed":1,"log":[]}', "no rule set 'chess'"),
        (b'{"ruleset":"classic","version":0,"seats":3,"options":{},"seed":1,"log":[]}', "recorded with classic 0"),
    ],
)
def test_a_file_that_is_no_recording_is_named_in_a_sentence(
    content: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.json"
    kept.write_bytes(content)
    assert simulated("--replay", str(kept)) == 2
    printed = capsys.readouterr()
    assert told in printed.err
    assert len(printed.err.splitlines()) == 1


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated("--replay", str(tmp_path / "nothing.json")) == 2
    assert "nothing.json cannot be read" in capsys.readouterr().err


def replayed(report: dict[str, Any], actions: int) -> Any:
    """Return the position after the first `actions` actions of a report's log."""
    state = engine.start(CLASSIC, report["seats"], report["options"], engine.ignore_event)
    for seat, plain in report["log"][:actions]:
        engine.play(CLASSIC, state, seat, msgspec.convert(plain, CLASSIC.action_decoder.type), engine.ignore_event)
    return state


def test_an_impossible_position_is_printed(broken: Any, capsys: pytest.CaptureFixture[str]) -> None:
    broken(invariants=lambda table: ["too many turns"] if table.round > 2 else [])
    assert simulated("--players", "3", "--games", "5", "--seed", "3") == 1
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert report["wrong"] == "too many turns"
    assert "too many turns" in printed.err
    assert report["state"]["round"] == 3
    again = replayed(report, len(report["log"]))
    assert json.loads(msgspec.json.encode(again)) == list(report["state"].values())


def test_a_dead_end_is_printed(broken: Any, capsys: pytest.CaptureFixture[str]) -> None:
    handlers = dict(CLASSIC.handlers)
    for kind, handler in handlers.items():
        if kind.__name__ == "Purchase":
            handlers[kind] = msgspec.structs.replace(handler, options=lambda *_: [])
    broken(handlers=handlers)
    assert simulated("--players", "2", "--games", "1") == 1
    report = json.loads(capsys.readouterr().out)
    assert "no options" in report["wrong"]
    assert replayed(report, len(report["log"])).frames[-1].__class__.__name__ == "Purchase"


def test_a_refused_option_is_printed(broken: Any, capsys: pytest.CaptureFixture[str]) -> None:
    handlers = dict(CLASSIC.handlers)
    for kind, handler in handlers.items():
        if kind.__name__ == "Movement":
            handlers[kind] = msgspec.structs.replace(handler, options=handlers_of_purchase)
    broken(handlers=handlers)
    assert simulated("--players", "2", "--games", "1") == 1
    report = json.loads(capsys.readouterr().out)
    assert "refused" in report["wrong"]


def handlers_of_purchase(*_: Any) -> list[Any]:
    """Return options that do not belong to the movement phase."""
    return [CLASSIC.action_decoder.decode(msgspec.msgpack.encode([32]))]


def test_a_crash_of_the_rules_is_printed(broken: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def crash(table: Any) -> bool:
        return bool(table.winner >= 0 or (table.round > 1 and 1 // 0))

    broken(finished=crash)
    assert simulated("--players", "2", "--games", "1") == 1
    assert "ZeroDivisionError" in json.loads(capsys.readouterr().out)["wrong"]


def test_a_game_can_be_played_again_from_its_seed() -> None:
    first, second = (simulate.SimulatedGame(CLASSIC, 4, 11, {}) for _ in range(2))
    for game in (first, second):
        game.play(POLICIES["random"], 300, "none")
    assert first.log == second.log
    assert random.Random(11).random() != first.chance.random()
