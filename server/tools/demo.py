"""The command `demo`: a whole match between bots over real sockets, with onlookers, drops and resumes."""

import argparse
import asyncio
import contextlib
import json
import logging
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct, structs

from protocol import codec, delta
from protocol.limits import Rates
from server import log
from server.bots import policy
from server.bots.search.budget import REPEATABLE
from server.connections import loops
from server.connections.app import App, Settings
from server.connections.gate import GENEROUS
from server.tools.robot import Mind, Onlooker, Player, Robot, Tally, standings
from shared import levels
from shared.choices import choices
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.messages import Create, Join, Seated, ServerMessage, Start, TableState
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import TablePhase

STALL: Final = 60.0
"""Seconds without a new version after which the demonstration gives up."""
M = TypeVar("M", bound=ServerMessage)


class Plan(Struct, frozen=True):
    """What to play. `options` of the rule set; `drops`: whether viewers drop and come back."""

    ruleset: str
    players: int
    spectators: int
    seed: int
    options: dict[str, int]
    policy: str = levels.NORMAL
    drops: bool = True


class Report(Struct, frozen=True):
    """What `--json` prints. Bytes are of messages without the WebSocket header; `seconds` of wall time. `match`: the id
    under which it is kept with `--data`."""

    ruleset: str
    players: int
    spectators: int
    finished: bool
    winner: int
    actions: int
    chance_actions: int
    seconds: float
    viewers: int
    viewers_in_sync: int
    resumes: int
    snapshot_bytes: int
    delta_bytes_mean: float
    delta_bytes_p99: int
    frame_bytes_mean: float
    match: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `demo`."""
    parser.add_argument("--ruleset", default="classic", help=f"one of {', '.join(RULESETS)}")
    parser.add_argument("--players", type=int, default=6, help="bots at the table")
    parser.add_argument("--spectators", type=int, default=4, help="onlookers, who come one after the other")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same match")
    parser.add_argument("--rounds", type=int, default=None, help="sets the option round_limit")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the rules")
    parser.add_argument("--policy", default=levels.NORMAL, choices=sorted(levels.KNOWN), help="how the bots play")
    parser.add_argument("--no-drops", action="store_true", help="nobody loses the connection on the way")
    parser.add_argument("--data", type=Path, default=None, metavar="DIR", help="keep the match in that directory")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the standings")
    loops.add_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Play; 0 if the match ended and every viewer saw the server's truth all the way."""
    log.start(logging.WARNING)
    plan = Plan(args.ruleset, args.players, args.spectators, args.seed, _options(args), args.policy, not args.no_drops)
    report, standings = loops.run(play(plan, sys.stderr.isatty(), args.data), args.loop)
    print(json.dumps(structs.asdict(report)) if args.json else f"{standings}\n{_summary(report)}")
    return 0 if report.finished and report.viewers_in_sync == report.viewers else 1


async def play(plan: Plan, progress: bool = False, data: Path | None = None) -> tuple[Report, str]:
    """Serve and play a match; the report and the final standings in words. It is kept in the directory `data`, if one
    is given. ValueError for what cannot be played."""
    rules = ruleset(plan.ruleset)
    engine.checked_options(rules, plan.players, plan.options)
    with _directory(data) as directory:
        app = await App.start(_settings(Path(directory), plan.seed), {rules.id: rules}, no_bots)
        try:
            return await _Demonstration(app, rules, plan, progress).run()
        finally:
            await app.stop()


def _directory(data: Path | None) -> contextlib.AbstractContextManager[Path | str]:
    """Where the match is kept: for good, or until it is over."""
    temporary = tempfile.TemporaryDirectory
    return temporary(prefix="conquest-demo-") if data is None else contextlib.nullcontext(data)


class _Demonstration:
    def __init__(self, app: App, rules: AnyRuleset, plan: Plan, progress: bool) -> None:
        self._app = app
        self._rules = rules
        self._plan = plan
        self._progress = progress
        self._moved = asyncio.Event()
        self._tally = Tally({}, {}, moved=self._moved)
        self._began = time.monotonic()

    async def run(self) -> tuple[Report, str]:
        plan = self._plan
        players = [self._player(seat) for seat in range(plan.players)]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(robot.follow()) for robot in players]
            match = await self._set_up(players)
            onlookers = [self._onlooker(i, match) for i in range(plan.spectators)]
            tasks += [group.create_task(self._come_later(i, robot)) for i, robot in enumerate(onlookers)]
            watch = group.create_task(self._watch())
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            watch.cancel()
        return await self._report(match, [*players, *onlookers])

    def _drops(self, name: str) -> random.Random | None:
        return random.Random(f"{self._plan.seed}:{name}") if self._plan.drops else None

    def _player(self, seat: int) -> Player:
        name = f"Bot {seat + 1}"
        mind = Mind(decide_here, self._plan.policy, self._plan.seed)
        return Player(self._app.address, self._rules, name, mind, self._tally, self._drops(name))

    def _onlooker(self, number: int, match: str) -> Onlooker:
        name = f"Onlooker {number + 1}"
        return Onlooker(self._app.address, self._rules, name, self._tally, self._drops(name), match)

    async def _set_up(self, players: list[Player]) -> str:
        """Make the table, seat everybody, begin."""
        plan, host = self._plan, players[0]
        await host.welcomed.wait()
        options, count = plan.options, plan.players
        await host.say(lambda ref: Create(ref, plan.ruleset, count, options, "Demonstration", seat=0))
        match = (await _heard(host, Seated)).match
        for seat, player in enumerate(players[1:], 1):
            await player.welcomed.wait()
            await player.say(lambda ref, seat=seat: Join(ref, match, seat=seat))  # type: ignore[misc]
            await _heard(player, Seated)
        await _all_given(host)
        await host.say(Start)
        while (await _heard(host, TableState)).phase == TablePhase.GATHERING:
            pass
        return match

    async def _come_later(self, number: int, robot: Robot) -> None:
        """Onlookers come 20 actions after each other, at the latest when the match is over."""
        while self._tally.version < 20 * number and not self._over():
            self._moved.clear()
            await self._moved.wait()
        await robot.follow()

    def _over(self) -> bool:
        return any(task.table.match and task.table.match.finished for task in self._app.lobby.tasks)

    async def _watch(self) -> None:
        """Show progress, and end what hangs."""
        version, since = -1, time.monotonic()
        while True:
            await asyncio.sleep(0.2)
            if self._progress:
                _draw(self._tally.version, time.monotonic() - self._began)
            if self._tally.version != version:
                version, since = self._tally.version, time.monotonic()
            elif time.monotonic() - since > STALL:
                raise RuntimeError(f"No progress for {STALL:.0f} seconds at version {version}.")

    async def _report(self, match: str, robots: list[Robot]) -> tuple[Report, str]:
        seconds = time.monotonic() - self._began
        task = next(task for task in self._app.lobby.tasks if task.match == match)
        game = task.table.match
        assert game is not None
        stored = await self._app.store.claim(match)
        assert stored is not None
        chance = sum(entry.seat == NATURE for entry in stored.entries)
        in_sync = sum(
            robot.session.mismatches == 0
            and robot.session.version == game.version
            and delta.digest(codec.ENCODER.encode(robot.session.view)) == game.digest(robot.session.seat)
            for robot in robots
        )
        report = Report(
            ruleset=self._plan.ruleset,
            players=self._plan.players,
            spectators=self._plan.spectators,
            finished=game.finished,
            winner=self._rules.winner(game.state),
            actions=len(stored.entries) - chance,
            chance_actions=chance,
            seconds=round(seconds, 3),
            viewers=len(robots),
            viewers_in_sync=in_sync,
            resumes=self._tally.resumes,
            snapshot_bytes=len(game.snapshot(game.public)),
            delta_bytes_mean=round(self._tally.delta_mean, 2),
            delta_bytes_p99=self._tally.delta_p99,
            frame_bytes_mean=round(self._tally.frame_mean, 2),
            match=match,
        )
        return report, standings(self._rules, game.state)


def _options(args: argparse.Namespace) -> dict[str, int]:
    options = choices(ruleset(args.ruleset), args.option)
    if args.rounds is not None:
        options["round_limit"] = args.rounds
    return options


def _settings(data: Path, seed: int) -> Settings:
    """A server that trusts its own bots: they are faster than people."""
    return Settings(data=data, port=0, seed=seed, pace=0.0, limits=GENEROUS, rates=Rates(1e9, 1e9))


async def no_bots(ruleset: str, kind: str, seat: int, view: bytes, seed: int, seconds: float) -> bytes:
    """Bots for a server whose bots are all clients."""
    raise RuntimeError("all bots of a demonstration are clients")


async def decide_here(ruleset_id: str, level: str, seat: int, view: bytes, seed: int, _seconds: float) -> bytes:
    """What a bot does, thought out on the spot: nobody here waits for anything else meanwhile."""
    rules = ruleset(ruleset_id)
    position = rules.view_decoder.decode(view)
    return codec.encode(policy.choose(level, rules, position, seat, random.Random(seed), REPEATABLE))


async def _all_given(host: Player) -> None:
    """Wait until everybody's number for the dice is there: the same dice next time."""
    table = host.session.table
    while table is not None and table.pledge is not None and not all(table.pledge.numbers):
        table = await _heard(host, TableState)


async def _heard(robot: Robot, kind: type[M]) -> M:
    """The next message of that kind, passing over others."""
    while True:
        message = await robot.heard.get()
        if isinstance(message, kind):
            return message


def _draw(version: int, seconds: float) -> None:
    bar = "#" * (version // 50 % 40)
    print(f"\r{version:6d} actions  {version / max(seconds, 0.001):6.0f}/s  [{bar:<40}]", end="", file=sys.stderr)


def _summary(report: Report) -> str:
    state = "over" if report.finished else "not finished"
    return (
        f"Match {state}: {report.actions} actions and {report.chance_actions} of chance in {report.seconds:.1f} s; "
        f"{report.viewers_in_sync} of {report.viewers} viewers in sync after {report.resumes} resumes; "
        f"{report.delta_bytes_mean:.1f} bytes per delta, {report.snapshot_bytes} per snapshot."
    )
