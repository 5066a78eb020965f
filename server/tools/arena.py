"""Command `conquest-server arena`: compare bots in whole matches by the rules alone, with rotating seats."""

import argparse
import importlib
import inspect
import math
import multiprocessing
import os
import random
import re
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from conquest.player_process import DEADLINE, PlayerProcess
from protocol import codec
from protocol.process.stopping import handled
from server.bots import policy
from server.bots.policy import Policy
from server.bots.questions import BotAnswer, BotRequest
from server.bots.search.budget import Thinking
from server.matches.bot_time import BotTime
from server.subprocess_workers import LENGTH, READY
from server.tools.own_players import Guest, close_players, is_class, own_process
from shared.choices import OPTION, choices
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.levels import A_ROUND, AT_LEISURE, HARD, SEARCHING, SECONDS, tempered
from shared.rulesets.registry import ruleset
from shared.tables import Pace

_OF_THIS_PYTHON: Final = ("PYTHONPATH", "PYTHONHOME")
"""Environment variables that would make the other Python import the packages of this installation."""


class OtherInstallation:
    """Worker process of another installation, asked as its own server asks it: with views and actions as on the wire.

    Raises ValueError if there is none.
    """

    def __init__(self, python: str) -> None:
        program = shutil.which(python)
        if program is None:
            raise ValueError(f"There is no program {python!r}: name the Python of another installation.")
        command = (Path(program).absolute(), "-m", "server.bots.worker")
        env = {name: value for name, value in os.environ.items() if name not in _OF_THIS_PYTHON}
        # Python looks for packages in the present folder first, which may have those of this installation.
        self._process = subprocess.Popen(
            command,
            cwd=command[0].parent,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._python = python
        if self._read(len(READY)) != READY:
            raise ValueError(f"{python!r} has no bots: install conquest-empire[server] for that Python.")

    def decide(
        self, level: str, seconds: float, rules: AnyRuleset, view: Any, seat: Seat, chance: random.Random
    ) -> Action:
        """Return the action of a bot there, or the frame's default if it is illegal here. Raises ValueError."""
        asked = BotRequest(rules.id, level, seat, codec.encode(view), chance.getrandbits(32), seconds=seconds)
        answer = self._ask(asked)
        if answer.wrong:
            raise ValueError(f"{self._python}: {answer.wrong}")
        action: Action = rules.action_decoder.decode(answer.action)
        return action if engine.check(rules, view, seat, action) is None else engine.default(rules, view, seat)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _ask(self, question: BotRequest) -> BotAnswer:
        said = msgspec.msgpack.encode(question)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(LENGTH.pack(len(said)) + said)
            self._process.stdin.flush()
            (length,) = LENGTH.unpack(self._read(LENGTH.size))
            return msgspec.msgpack.decode(self._read(length), type=BotAnswer)
        except (OSError, struct.error, msgspec.MsgspecError) as error:
            raise ValueError(f"The bots of {self._python!r} ended: {error}.") from None

    def _read(self, size: int) -> bytes:
        assert self._process.stdout is not None
        return self._process.stdout.read(size)


_started: Final[dict[str, OtherInstallation]] = {}
"""By Python: each process of the arena asks one process of an installation."""


def other_installation(python: str) -> OtherInstallation:
    """Return the bots of an installation, which are started at first. Raises ValueError if there are none."""
    if python not in _started:
        _started[python] = OtherInstallation(python)
    return _started[python]


def close_installations() -> None:
    """End all processes that this process started."""
    while _started:
        _started.popitem()[1].close()


DESCRIPTION: Final = """\
Let bots of different levels play against each other, and count who wins.

--lineup names one bot for each seat: a level, whose tempers vary by match as at a table, or a level with a temper
("bold normal" or "careful easy"), hard@N for a hard bot that tries N times how a decision may go on,
LEVEL=PYTHON for a level of another installation (as in normal=/opt/conquest-0.1/bin/python), FILE.py:CLASS for a player
of your own (`conquest.Player`), in a process of its own, or MODULE:FUNCTION for one with the arguments and result of
`server.bots.policy.Policy`. The names may also stand without --lineup: mine.py:Mine normal. A player of a class that is
slow, dies or chooses something illegal loses that decision: the default is played.

From game to game each player moves on by one seat; the games of one round of the table share their dice as far as they
go the same way. A match that is not over after --rounds rounds has no winner.

levels: of each name in the line-up, wins among the seats that it held (win_low to win_high: 95 % interval by Wilson),
the mean rank and score (the first number of the final standings, 0 for players who are out), and the mean seconds of a
decision. faults: decisions that players of a class did not take."""

ROUNDS: Final = 200
"""Rounds after which a match stays undecided."""
MOST_ACTIONS: Final = 200_000
CONFIDENCE: Final = 1.959964
"""Standard deviations on each side of a 95 % interval."""
NUMBER: Final = re.compile(r"-?\d+")
BAR: Final = 40


class ArenaMatch(Struct, frozen=True):
    """A match to be played: `lineup` by seat. thinking: of a hard bot for each decision (None: as at a table)."""

    ruleset: str
    lineup: tuple[str, ...]
    seed: int
    rounds: int
    options: dict[str, int]
    thinking: Thinking | None = None
    deadline: float = DEADLINE


class ArenaResult(Struct, frozen=True):
    """Result of a match; all by seat except `rounds`. thinking: seconds of each decision."""

    entry: ArenaMatch
    rounds: int
    finished: bool
    won: tuple[bool, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    thinking: tuple[tuple[float, ...], ...]
    faults: tuple[int, ...] = ()


class Level(Struct, frozen=True):
    """Results of a level; `games` counts the seats held."""

    games: int
    wins: int
    win_low: float
    win_high: float
    mean_rank: float
    mean_score: float
    seconds_p50: float
    seconds_p95: float
    faults: int = 0


class ArenaReport(Struct, frozen=True):
    """The result, as printed with --json. `rounds_median`, `rounds_max`: of all matches, finished or not."""

    games: int
    finished: int
    rounds_median: float
    rounds_max: int
    seconds: float
    levels: dict[str, Level]


def player(name: str, thinking: Thinking | None = None) -> Policy:
    """Return the bot of a line-up. Raises ValueError for an unknown name.

    thinking: of a hard bot for each decision (None: as at a table; the bot then counts its time, for one match).
    """
    level, elsewhere, python = name.partition("=")
    if elsewhere:
        return _other(level, python, thinking)
    module, colon, function = name.partition(":")
    if not colon:
        return _level_of(name, thinking)
    _look_here()
    try:
        found: Policy = getattr(importlib.import_module(module), function)
    except Exception as error:
        raise ValueError(f"Player {name!r} cannot be loaded: {error}.") from None
    return _own(name, found)


def _other(level: str, python: str, thinking: Thinking | None) -> Policy:
    """Return a bot of another installation."""
    decide = other_installation(python).decide
    if level not in SEARCHING:
        return partial(decide, level, SECONDS)
    if thinking is None:
        return TimedBot(level, partial(partial, decide, level)).decide
    seconds = thinking.of(level).seconds
    if seconds is None:
        raise ValueError("Hard bots of another installation think for --seconds; --rollouts is for those of this one.")
    return partial(decide, level, seconds)


def _level_of(name: str, thinking: Thinking | None) -> Policy:
    """Return a bot of the server: a level, or hard@N."""
    level, at, rollouts = name.partition("@")
    if at and level != HARD:
        raise ValueError(f"Only hard bots take a number of tries (hard@8), not {name!r}.")
    if at:
        return policy.find(level, Thinking(_positive_number(rollouts)))
    if thinking is not None:
        return policy.find(level, thinking.of(level))
    found = policy.find(level)
    if level not in SEARCHING:
        return found
    return TimedBot(level, lambda seconds: policy.find(level, Thinking.lasting(seconds))).decide


class TimedBot:
    """Bot that searches for as long as at a table: a hard one has one budget for all its decisions of a round.

    level: its level. asked(seconds): the policy with that thinking time for a decision.
    """

    def __init__(self, level: str, asked: Callable[[float], Policy]) -> None:
        self._level, self._asked, self._time = level, asked, BotTime()

    def decide(self, rules: AnyRuleset, view: Any, seat: Seat, chance: random.Random) -> Action:
        """Return the action to take now."""
        round_ = rules.round_of(view)
        seconds = self._time.limit(seat, self._level, Pace(), round_)
        began = time.perf_counter()
        action = self._asked(seconds)(rules, view, seat, chance)
        self._time.spend(seat, round_, min(seconds, time.perf_counter() - began))
        return action


def _own(name: str, function: Policy) -> Policy:
    """Return a user's own player with checks. ValueError says what is wrong with it or with its action."""
    if not _fits(function):
        raise ValueError(f"{name!r} must be a function of (rules, view, seat, chance).")

    def decide(rules: AnyRuleset, view: Any, seat: Seat, chance: random.Random) -> Action:
        try:
            action = function(rules, view, seat, chance)
            refusal = engine.check(rules, view, seat, action)
        except Exception as error:
            raise ValueError(f"Player {name!r} failed: {_where(error)}.") from None
        if refusal is not None:
            raise ValueError(f"Player {name!r} chose {action!r}, which is refused: {refusal.text}")
        return action

    return decide


def _fits(function: Policy) -> bool:
    """Whether a function can be called like a player."""
    try:
        inspect.signature(function).bind("rules", "view", "seat", "chance")
    except TypeError:
        return False
    except ValueError:  # Some callables have no signature.
        return True
    return True


def _where(error: Exception) -> str:
    """Return an error and its line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"


def _positive_number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ValueError(f"The number of tries must be 1 or more, as in hard@8, not {text!r}.")
    return int(text)


def _look_here() -> None:
    """Add the current folder to the module path, which an installed command does not contain."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)


def schedule(
    name: str, lineup: Sequence[str], args: argparse.Namespace, options: Mapping[str, int]
) -> Iterator[ArenaMatch]:
    """Yield the matches: each seed once for every rotation of the line-up, if its bots differ."""
    turns = len(lineup) if len(set(lineup)) > 1 else 1
    for game in range(args.games):
        round_, turn = divmod(game, turns)
        seats = (*lineup[turn:], *lineup[:turn])
        yield ArenaMatch(name, seats, args.seed + round_, args.rounds, dict(options), thinking(args), args.deadline)


def thinking(args: argparse.Namespace) -> Thinking | None:
    """Return the limits of thinking for hard bots, or None for those of a table."""
    if args.rollouts is not None:
        return Thinking(args.rollouts)
    return None if args.seconds is None else Thinking.lasting(args.seconds)


def play(entry: ArenaMatch) -> ArenaResult:
    """Play one match; the same entry always gives the same result."""
    rules = ruleset(entry.ruleset)
    match = f"{entry.ruleset} {entry.seed} {' '.join(entry.lineup)}"
    players = [
        Guest(own_process(name, seat), match, entry.deadline)
        if is_class(name)
        else player(tempered(name, match, seat), entry.thinking)
        for seat, name in enumerate(entry.lineup)
    ]
    chance = random.Random(entry.seed)
    # A source for each player: what one of them draws does not change what the others do.
    minds = [random.Random(f"{entry.seed} {seat} {name}") for seat, name in enumerate(entry.lineup)]
    thinking: list[list[float]] = [[] for _ in players]
    state: Any = engine.start(rules, len(players), entry.options, engine.ignore_event)
    for _ in range(MOST_ACTIONS):
        owed = engine.owed(rules, state)
        if not owed or state.round > entry.rounds:
            break
        action = engine.chance_action(state, chance) if owed[0] == NATURE else None
        seat = owed[0]
        if action is None:
            started = time.perf_counter()
            action = players[seat](rules, rules.view(state, seat), seat, minds[seat])
            thinking[seat].append(time.perf_counter() - started)
        engine.play(rules, state, seat, action, engine.ignore_event)
    faults = tuple([each.faults if isinstance(each, Guest) else 0 for each in players])
    return replace(_result(rules, entry, state, thinking), faults=faults)


def _result(rules: AnyRuleset, entry: ArenaMatch, state: Any, thinking: Sequence[Sequence[float]]) -> ArenaResult:
    places = sorted(rules.standings(state), key=lambda place: place.seat)
    finished = rules.finished(state)
    return ArenaResult(
        entry,
        min(state.round, entry.rounds),
        finished,
        tuple(finished and rules.winner(state) != NONE and place.rank == 1 for place in places),
        tuple(place.rank for place in places),
        tuple(_number(place.score) for place in places),
        tuple(map(tuple, thinking)),
    )


def _number(score: str) -> int:
    found = NUMBER.search(score)
    return int(found.group()) if found else 0


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of wins (Wilson)."""
    if not games:
        return 0.0, 1.0
    share, z = wins / games, CONFIDENCE
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def report(results: Sequence[ArenaResult], seconds: float) -> ArenaReport:
    """Return the statistics of all matches."""
    rounds = [result.rounds for result in results]
    names = dict.fromkeys(name for result in results for name in result.entry.lineup)
    return ArenaReport(
        len(results),
        sum(result.finished for result in results),
        statistics.median(rounds),
        max(rounds),
        round(seconds, 1),
        {name: _level(results, name) for name in names},
    )


def _level(results: Sequence[ArenaResult], name: str) -> Level:
    held = [(result, seat) for result in results for seat, by in enumerate(result.entry.lineup) if by == name]
    wins = sum(result.won[seat] for result, seat in held)
    low, high = wilson(wins, len(held))
    times = sorted(seconds for result, seat in held for seconds in result.thinking[seat]) or [0.0]
    return Level(
        len(held),
        wins,
        round(low, 4),
        round(high, 4),
        round(statistics.fmean(result.ranks[seat] for result, seat in held), 3),
        round(statistics.fmean(result.scores[seat] for result, seat in held), 2),
        round(_share(times, 0.5), 6),
        round(_share(times, 0.95), 6),
        sum([result.faults[seat] for result, seat in held if result.faults]),
    )


def _share(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `arena`."""
    parser.description = DESCRIPTION
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--ruleset", default="classic", help="which game (default: classic)")
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="the players, instead of --lineup")
    parser.add_argument("--lineup", default="", metavar="A,B,...", help="a player for each seat, with commas")
    parser.add_argument(
        "--deadline",
        type=float,
        default=DEADLINE,
        metavar="S",
        help=f"seconds for a decision of a player of a class (default: {DEADLINE:g})",
    )
    parser.add_argument("--games", type=int, default=100, help="how many matches (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first matches (default: 1)")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help=f"end undecided after so many rounds (default: {ROUNDS})"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        help="time for each decision of a hard bot, a tenth of an expert's (default: as at a table, where a hard bot "
        f"has {A_ROUND:g} for all its decisions of a round, and an expert {AT_LEISURE:g} for each)",
    )
    parser.add_argument(
        "--rollouts",
        type=int,
        default=None,
        metavar="N",
        help="tries for each decision of a hard bot, instead of seconds; repeatable",
    )
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help=OPTION)
    parser.add_argument(
        "--jobs", type=int, default=multiprocessing.cpu_count(), help="processes (default: one for each core)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def run(args: argparse.Namespace) -> int:
    """Carry out `arena` and return the exit status. ValueError says what is wrong with the arguments."""
    with handled(_stop):
        try:
            entries = _checked(args)
            started = time.perf_counter()
            with _many(min(args.jobs, len(entries))) as many:
                results = list(_shown(many(play, entries), len(entries)))
        finally:
            close_players()
            close_installations()
    found = report(results, time.perf_counter() - started)
    print(msgspec.json.encode(found).decode() if args.json else _table(found))
    return 0


def _checked(args: argparse.Namespace) -> list[ArenaMatch]:
    rules = ruleset(args.ruleset)
    options = choices(rules, args.option)
    if bool(args.lineup) == bool(args.players):
        raise ValueError("Name the players, once: A B ... or --lineup A,B,...")
    lineup = [name.strip() for name in args.lineup.split(",")] if args.lineup else args.players
    engine.checked_options(rules, len(lineup), options)
    if not 0 < args.deadline < math.inf:
        raise ValueError("--deadline must be more than 0")
    for name in dict.fromkeys(lineup):
        if is_class(name):
            # Loaded once, to find mistakes before the first match.
            PlayerProcess(name).close()
        else:
            player(name)
    if args.seconds is not None and not 0 < args.seconds < math.inf:
        raise ValueError("--seconds must be more than 0; leave it out to think as long as at a table")
    if args.rollouts is not None and args.rollouts < 1:
        raise ValueError("--rollouts must be 1 or more; leave it out to think for a time")
    if min(args.games, args.rounds, args.jobs) < 1:
        raise ValueError("--games, --rounds and --jobs must be 1 or more")
    return list(schedule(rules.id, lineup, args, options))


@contextmanager
def _many(
    jobs: int,
) -> Iterator[Callable[[Callable[[ArenaMatch], ArenaResult], Sequence[ArenaMatch]], Iterable[ArenaResult]]]:
    """Yield a `map` over `jobs` processes, or over this process alone for one job."""
    if jobs == 1:
        yield map
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield partial(_begun, pool)


def _begun(
    pool: ProcessPoolExecutor, play: Callable[[ArenaMatch], ArenaResult], entries: Sequence[ArenaMatch]
) -> Iterable[ArenaResult]:
    """Start the processes, and let them play. They inherit a mask: Ctrl-C in the terminal must reach this one alone."""
    if sys.platform == "win32":
        return pool.map(play, entries)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        return pool.map(play, entries)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop() -> None:
    """End all processes, and this one after them."""
    threading.excepthook = lambda _: None  # The pool's thread fails at futures that are cancelled and broken at once.
    for process in multiprocessing.active_children():
        process.kill()
    raise KeyboardInterrupt


def _shown(results: Iterable[ArenaResult], games: int) -> Iterator[ArenaResult]:
    """Yield the results, with a progress bar on a terminal."""
    for done, result in enumerate(results, start=1):
        if sys.stderr.isatty():
            bar = "#" * (BAR * done // games)
            print(f"\r[{bar:<{BAR}}] {done}/{games}", end="\n" if done == games else "", file=sys.stderr, flush=True)
        yield result


def _table(found: ArenaReport) -> str:
    lines = [
        f"{found.finished} of {found.games} matches over, in {found.rounds_median:g} rounds (median; "
        f"most: {found.rounds_max}); {found.seconds:g} s.",
        f"{'level':<28}{'seats':>6}{'wins':>6}{'share (95 %)':>20}{'rank':>7}{'score':>9}{'ms p50':>8}{'ms p95':>8}"
        f"{'faults':>8}",
    ]
    for name, level in found.levels.items():
        share = f"{level.wins / level.games:.3f} ({level.win_low:.2f}-{level.win_high:.2f})"
        lines.append(
            f"{name:<28}{level.games:>6}{level.wins:>6}{share:>20}{level.mean_rank:>7.2f}{level.mean_score:>9.1f}"
            f"{level.seconds_p50 * 1000:>8.2f}{level.seconds_p95 * 1000:>8.2f}{level.faults:>8}"
        )
    return "\n".join(lines)
