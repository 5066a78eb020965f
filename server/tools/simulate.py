"""Command `conquest-server simulate`: whole games by the rules alone, to find broken rules and measure speed."""

import argparse
import random
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from protocol.process.stopping import handled
from server.bots.policy import Policy, add_level, find, pick, play_random
from server.bots.search.budget import REPEATABLE
from server.tools.own_players import Guest, close_players, own_process
from server.tools.recording import Broken, Recording, read, replay
from shared import levels
from shared.choices import OPTION, choices
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Emit
from shared.kernel.ruleset import AnyRuleset, IllegalAction
from shared.rulesets.registry import ruleset

CHECKS: Final = ("every", "end", "none")
FOUND_A_BUG: Final = 1
BAD_ARGUMENTS: Final = 2

DESCRIPTION: Final = """\
Play whole games with bots on every seat, by the rules alone: no server, no network, no storage.

Every position is checked after each action. The first impossible position, decision without options or refused option
ends the run with exit status 1. The position and all actions before it are printed as JSON. Write that to a file and
give it to --replay, which plays it again and says whether it still goes wrong. With --check end or none, random bots'
actions are not checked again, which is faster.

seconds: playing time (listing options, choosing, checking and applying actions, chance). check_seconds: time of the
checks of positions. actions: accepted actions, with those of chance. decisions: those of a seat that had more than one
option. faults: decisions that a player of your own did not take; the default was played."""

ROUND_LIMIT: Final = "round_limit"

CarryOut: TypeAlias = Callable[[AnyRuleset, Any, Seat, Action, Emit], object]
"""Carries out an action: with a check, or without one for listed options."""


class SimulationReport(Struct):
    """The result, as printed with --json."""

    games: int
    finished: int = 0
    capped: int = 0
    actions: int = 0
    decisions: int = 0
    seconds: float = 0.0
    actions_per_second: int = 0
    invariant_checks: int = 0
    check_seconds: float = 0.0
    faults: int = 0


class SimulatedGame:
    """Simulated game, with everything needed to replay it."""

    def __init__(self, rules: AnyRuleset, players: int, seed: int, options: Mapping[str, int]) -> None:
        self.rules = rules
        self.players = players
        self.seed = seed
        self.options = dict(options)
        self.chance = random.Random(seed)
        self.log: list[tuple[Seat, Action]] = []
        self.decisions = 0
        self.checks = 0
        self.check_seconds = 0.0
        self.state: Any = engine.start(rules, players, options, engine.ignore_event)

    def play(self, policy: Policy, max_actions: int, check: str) -> bool:
        """Play on, and return whether the game ended. Broken says what is wrong with the rules."""
        every = check == "every"
        carry_out = engine.play if every or policy is not play_random else engine.perform
        while owed := engine.owed(self.rules, self.state):
            if len(self.log) >= max_actions:
                break
            self._step(owed[0], policy, carry_out)
            if every:
                self._check()
        if check == "end":
            self._check()
        return self.rules.finished(self.state)

    def _step(self, seat: Seat, policy: Policy, carry_out: CarryOut) -> None:
        rules, state = self.rules, self.state
        if seat == NATURE:
            action = engine.chance_action(state, self.chance)
            if action is None:
                raise Broken(f"chance owes {engine.top(state)!r} and cannot answer it")
        else:
            found = engine.options(rules, state, seat)
            if not found:
                raise Broken(f"seat {seat} owes {engine.top(state)!r} and has no options")
            self.decisions += len(found) > 1
            if policy is play_random:  # The same choice as the policy's, without listing the options twice.
                action = pick(found, self.chance)
            else:
                action = policy(rules, rules.view(state, seat), seat, self.chance)
        self.log.append((seat, action))
        try:
            carry_out(rules, state, seat, action, engine.ignore_event)
        except IllegalAction as error:
            raise Broken(f"seat {seat} chose {action!r}, which is refused: {error}") from None

    def _check(self) -> None:
        started = time.perf_counter()
        wrong = self.rules.invariants(self.state)
        self.check_seconds += time.perf_counter() - started
        self.checks += 1
        if wrong:
            raise Broken("; ".join(wrong))

    def report(self, wrong: str) -> Recording:
        """Return the position and all actions before it, for a bug report and a test fixture."""
        return Recording(
            self.rules.id,
            self.rules.version,
            self.players,
            self.options,
            self.seed,
            [(seat, msgspec.to_builtins(action)) for seat, action in self.log],
            wrong=wrong,
            state={name: msgspec.to_builtins(getattr(self.state, name)) for name in self.state.__struct_fields__},
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `simulate`."""
    parser.description = DESCRIPTION
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--ruleset", default="classic", help="which game (default: classic)")
    parser.add_argument("--players", type=int, default=4, help="seats (default: 4)")
    parser.add_argument("--games", type=int, default=10, help="how many games (default: 10)")
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the first game; each further game adds one (default: 1)"
    )
    add_level(parser, levels.RANDOM)
    parser.add_argument(
        "--player", default="", metavar="FILE.py:CLASS", help="a player of your own on every seat, instead of a level"
    )
    parser.add_argument("--max-actions", type=int, default=100_000, help="stop a game after so many (default: 100000)")
    parser.add_argument("--rounds", type=int, default=0, help="the house rule's round limit (default: none)")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help=OPTION)
    parser.add_argument("--check", default="every", help="which positions to check: every (default), end, none")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="replay a recorded match instead")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def run(args: argparse.Namespace) -> int:
    """Carry out `simulate` and return the exit status."""
    if args.replay is not None:
        return _replay(args.replay)
    with handled(_stop):
        try:
            return _run_simulation(args)
        finally:
            close_players()


def _stop() -> None:
    raise KeyboardInterrupt


def _run_simulation(args: argparse.Namespace) -> int:
    try:
        rules = _checked(args)
    except ValueError as error:
        print(error, file=sys.stderr)
        return BAD_ARGUMENTS
    tally = SimulationReport(args.games)
    for seed in range(args.seed, args.seed + args.games):
        game = SimulatedGame(rules, args.players, seed, _options(args))
        try:
            _play(game, args, tally)
        except Exception as error:
            wrong = str(error) if isinstance(error, Broken) else repr(error)
            print(f"Game {seed} broke after {len(game.log)} actions: {wrong}", file=sys.stderr)
            print(msgspec.json.encode(game.report(wrong)).decode())
            return FOUND_A_BUG
    tally.actions_per_second = round(tally.actions / tally.seconds) if tally.seconds else 0
    tally.seconds = round(tally.seconds, 3)
    tally.check_seconds = round(tally.check_seconds, 3)
    print(msgspec.json.encode(tally).decode() if args.json else _table(tally))
    return 0


def _replay(path: Path) -> int:
    try:
        recording = read(path)
        length = replay(ruleset(recording.ruleset), recording)
    except ValueError as error:
        print(error, file=sys.stderr)
        return BAD_ARGUMENTS
    except Broken as error:
        print(f"{path} goes wrong: {error}.", file=sys.stderr)
        return FOUND_A_BUG
    print(f"{path}: {length} actions of {recording.ruleset} with {recording.seats} players, all as they should be.")
    return 0


def _checked(args: argparse.Namespace) -> AnyRuleset:
    """Return the rule set if all arguments make sense; ValueError says which does not."""
    rules = ruleset(args.ruleset)
    engine.checked_options(rules, args.players, _options(args))
    find(args.level)
    if args.player:
        own_process(args.player, 0)
    if args.check not in CHECKS:
        raise ValueError(f"--check must be {', '.join(CHECKS)}, not {args.check!r}")
    if args.games < 1 or args.max_actions < 1:
        raise ValueError("--games and --max-actions must be 1 or more")
    return rules


def _options(args: argparse.Namespace) -> dict[str, int]:
    chosen = choices(ruleset(args.ruleset), args.option)
    return {**chosen, ROUND_LIMIT: args.rounds} if args.rounds else chosen


def _policy(args: argparse.Namespace, seed: int, tally: SimulationReport) -> Policy:
    """Return the policy of all seats; players of other authors know only their own seat, and faults are counted."""
    if not args.player:
        return find(args.level, REPEATABLE.of(args.level))

    def decide(rules: AnyRuleset, view: Any, seat: Seat, chance: random.Random) -> Action:
        guest = Guest(own_process(args.player, seat), f"simulate {seed}")
        action = guest(rules, view, seat, chance)
        tally.faults += guest.faults
        return action

    return decide


def _play(game: SimulatedGame, args: argparse.Namespace, tally: SimulationReport) -> None:
    started = time.perf_counter()
    finished = game.play(_policy(args, game.seed, tally), args.max_actions, args.check)
    tally.seconds += time.perf_counter() - started - game.check_seconds
    tally.check_seconds += game.check_seconds
    tally.finished += finished
    tally.capped += not finished
    tally.actions += len(game.log)
    tally.decisions += game.decisions
    tally.invariant_checks += game.checks


def _table(tally: SimulationReport) -> str:
    rows = [(name.replace("_", " "), getattr(tally, name)) for name in tally.__struct_fields__]
    return "\n".join(f"{name:<20}{value:>12,}" for name, value in rows)


def main() -> int:
    """Run `python -m server.tools.simulate`."""
    parser = argparse.ArgumentParser(prog="simulate")
    add_arguments(parser)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
