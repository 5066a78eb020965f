"""Ways to play: what a bot decides on a seat's view. Same view, same seed: same action."""

import random
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from server.bots import classic, cote2, mb1984
from server.bots.search import deciding
from server.bots.search.budget import AT_THE_TABLE, Budget, Thinking
from server.bots.search.games import GAMES
from shared import levels
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action
from shared.mechanics.cells import hostile
from shared.rulesets.classic import actions as classic_actions
from shared.rulesets.mb1984 import actions as mb1984_actions

Policy: TypeAlias = Callable[[AnyRuleset, Any, Seat, random.Random], Action]
"""(rules, view, seat, chance) -> a legal action of a seat that owes one."""

PLAYERS: Final[dict[str, Policy]] = {
    "classic": classic.decide,
    "cote2": cote2.decide,
    "mb1984": mb1984.decide,
}
"""By rule set, the player that knows what it is doing. A rule set without one is played at random."""


def play_random(rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random) -> Action:
    """Any of the options, all equally likely."""
    return pick(engine.options(rules, view, seat), rng)


def pick(found: Sequence[Action], rng: random.Random) -> Action:
    """One of them, all equally likely."""
    return found[int(rng.random() * len(found))]


def play_normal(rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random) -> Action:
    """The action that looks best now, where somebody taught us the game."""
    return PLAYERS.get(rules.id, play_random)(rules, view, seat, rng)


MISTAKES: Final = 0.3
"""The share of its decisions that an easy bot takes without thinking."""


def play_easy(rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random) -> Action:
    """Like the normal bot, but every now and then the first thing that comes to mind: a beginner's mistakes, which end
    matches rather than delay them."""
    if rng.random() >= MISTAKES:
        return play_normal(rules, view, seat, rng)
    return pick([action for action in engine.options(rules, view, seat) if not _is_walk(view, seat, action)], rng)


def _is_walk(view: Any, seat: Seat, action: Action) -> bool:
    """Whether somebody marches to and fro where he is at home: no beginner's mistake, only tedious to watch."""
    if not isinstance(action, classic_actions.March | mb1984_actions.March):
        return False
    return bool(view.owner[action.to] == seat) and not hostile(view.units[action.to], seat)


def play_hard(
    rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, thinking: Thinking = AT_THE_TABLE
) -> Action:
    """What turns out best where several ways to go on are tried in the mind."""
    return deciding.decide(GAMES[rules.id], rules, view, seat, rng, Budget(thinking))


POLICIES: Final[dict[str, Policy]] = {
    levels.EASY: play_easy,
    levels.NORMAL: play_normal,
    levels.HARD: play_hard,
    levels.RANDOM: play_random,
}
"""By the name of the level."""
_KNOWN: Final = ", ".join(POLICIES)
_EARLIER: Final = "".join([f" ({old} is {new} by its earlier name)" for old, new in levels.FORMERLY.items()])


def find(name: str, thinking: Thinking = AT_THE_TABLE) -> Policy:
    """The policy of a level, with so much thinking where it thinks; ValueError names the known ones."""
    try:
        found = POLICIES[levels.level(name)]
    except KeyError:
        raise ValueError(f"There are no {name!r} bots; there are {_KNOWN}{_EARLIER}.") from None
    return partial(play_hard, thinking=thinking) if found is play_hard else found


def add_level(parser: ArgumentParser, usual: str) -> None:
    """The option --level, also under its earlier name."""
    parser.add_argument("--level", default=usual, help=f"how the bots play: {_KNOWN} (default: {usual})")
    parser.add_argument("--policy", dest="level", default=SUPPRESS, help=SUPPRESS)


def strongest(ruleset: str) -> str:
    """The level that plays a rule set best: a search where somebody taught it that game."""
    return levels.HARD if ruleset in GAMES else levels.NORMAL


def choose(
    name: str, rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, thinking: Thinking = AT_THE_TABLE
) -> Action:
    """What the policy `name` decides, or the frame's default if that were illegal: a match never waits for a bot.

    ValueError names the known policies.
    """
    action = find(name, thinking)(rules, view, seat, rng)
    if engine.check(rules, view, seat, action) is None:
        return action
    return engine.default(rules, view, seat)
