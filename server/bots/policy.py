"""Policies: functions that choose a bot's action from a seat's view. The same view and seed give the same action."""

import random
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

from server.bots import classic, cote2, mb1984
from server.bots.search import deciding
from server.bots.search.budget import AT_THE_TABLE, Budget, Thinking
from server.bots.search.games import GAMES
from shared import levels
from shared.actions.bot_levels import all_levels
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.armies import hostile
from shared.rulesets.classic import actions as classic_actions
from shared.rulesets.mb1984 import actions as mb1984_actions

Policy: TypeAlias = Callable[[AnyRuleset, Any, Seat, random.Random], Action]
"""(rules, view, seat, chance) -> a legal action of a seat that owes one."""


class GamePlayer(Protocol):
    """Player that knows a game. boldness: see the player; 0 for a calm one."""

    def __call__(self, rules: Any, table: Any, seat: Seat, rng: random.Random, /, *, boldness: float = 0.0) -> Action:
        """Return the action to take now."""


PLAYERS: Final[dict[str, GamePlayer]] = {
    "classic": classic.decide,
    "cote2": cote2.decide,
    "mb1984": mb1984.decide_boldly,
}
"""By rule set, the player that knows its game. Rule sets without one are played at random."""
BOLDNESS: Final = {"classic": 0.15, "mb1984": 0.15, "cote2": 0.35}
"""By rule set, the boldness of a bold bot; a careful one has as much less than a calm one."""
SIGNS: Final = {"": 0, levels.BOLD: 1, levels.CAREFUL: -1}
"""Sign of the boldness by temper."""


def play_random(rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random) -> Action:
    """Return any of the options, all equally likely."""
    return pick(engine.options(rules, view, seat), rng)


def pick(found: Sequence[Action], rng: random.Random) -> Action:
    """Return one of the actions, all equally likely."""
    return found[int(rng.random() * len(found))]


def play_normal(rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, temper: str = "") -> Action:
    """Return the action that looks best now, or a random one for a rule set without a player.

    temper: one of `levels.TEMPERS`, like that of all levels that decide like a normal bot.
    """
    player = PLAYERS.get(rules.id)
    if player is None:
        return play_random(rules, view, seat, rng)
    return player(rules, view, seat, rng, boldness=SIGNS[temper] * BOLDNESS[rules.id])


MISTAKES: Final = {"classic": 0.15, "mb1984": 0.15, "cote2": 0.17}
"""By rule set, the share of its decisions that an easy bot takes at random: a moderate bot wins about three of four
duels."""


def play_easy(rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, temper: str = "") -> Action:
    """Decide like the normal bot, but take a random action in a share of `MISTAKES`.

    Marches within the own land are left out of the random choice: they would delay matches rather than end them.
    """
    if rng.random() >= MISTAKES.get(rules.id, 0.3):
        return play_normal(rules, view, seat, rng, temper)
    # A march between own provinces without a battle is only tedious to watch.
    kinds, options = classic_actions.March | mb1984_actions.March, engine.options(rules, view, seat)
    walks = [a for a in options if isinstance(a, kinds) and view.owner[a.to] == seat]
    tedious = [action for action in walks if not hostile(view.units[action.to], seat)]
    return pick([action for action in options if action not in tedious], rng)


SLIPS: Final = {"classic": 0.03, "mb1984": 0.07, "cote2": 0.1}
"""By rule set, the share of its decisions in which a moderate bot takes another plan than the best one.

A normal bot then wins about three of four duels.
"""


def play_moderate(rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, temper: str = "") -> Action:
    """Decide like the normal bot, but take a second-best plan in a share of `SLIPS`."""
    if rules.id not in GAMES or rng.random() >= SLIPS.get(rules.id, 0.0):
        return play_normal(rules, view, seat, rng, temper)
    best, *others = [plan.action for plan in deciding.candidates(GAMES[rules.id], rules, view, seat, rng)]
    return pick(others, rng) if others else best


def play_hard(
    rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, thinking: Thinking = AT_THE_TABLE
) -> Action:
    """Return the action that a search finds best by playing several plans out."""
    return deciding.decide(GAMES[rules.id], rules, view, seat, rng, Budget(thinking))


TEMPERED: Final = {levels.EASY: play_easy, levels.MODERATE: play_moderate, levels.NORMAL: play_normal}
"""Policies of the levels whose bots have tempers."""
POLICIES: Final[dict[str, Policy]] = {
    **TEMPERED,
    levels.HARD: play_hard,
    levels.EXPERT: play_hard,
    levels.RANDOM: play_random,
}
"""Policy by name of the level."""
_KNOWN: Final = ", ".join(POLICIES)
_EARLIER: Final = "".join([f" ({old} is {new} by its earlier name)" for old, new in levels.FORMERLY.items()])


def find(name: str, thinking: Thinking | None = None) -> Policy:
    """Return the policy of a level, or of a level with a temper ("bold normal"). ValueError names the known levels.

    thinking: limits of the search, if the level has one (None: as at a table).
    """
    temper, level = levels.parted(name)
    try:
        if temper:
            return partial(TEMPERED[level], temper=temper)
        found = POLICIES[level]
    except KeyError:
        raise ValueError(f"There are no {name!r} bots; there are {_KNOWN}{_EARLIER}.") from None
    return partial(play_hard, thinking=thinking or AT_THE_TABLE.of(name)) if found is play_hard else found


def add_level(parser: ArgumentParser, usual: str) -> None:
    """Add the option --level to a parser, also under its earlier name --policy."""
    parser.add_argument(
        "--level", default=usual, help=f"how the bots play: {_KNOWN} (default: {usual}). {all_levels()}"
    )
    parser.add_argument("--policy", dest="level", default=SUPPRESS, help=SUPPRESS)


def strongest(ruleset: str) -> str:
    """Return the level that plays a rule set best: a search where the rule set has one."""
    return levels.HARD if ruleset in GAMES else levels.NORMAL


def choose(
    name: str, rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, thinking: Thinking | None = None
) -> Action:
    """Return the action that the policy `name` chooses, or the frame's default if that action is illegal.

    The default ensures that a match never waits for a bot. ValueError names the known policies.
    """
    action = find(name, thinking)(rules, view, seat, rng)
    if engine.check(rules, view, seat, action) is None:
        return action
    return engine.default(rules, view, seat)
