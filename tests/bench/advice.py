"""Reasons of advice, judged: `python -m tests.bench.advice --ruleset classic [--positions N] [--seats N]`.

Plays matches in which every player follows the advice of the strongest bot, and judges each reason by the position.
Prints how often each reason was given with an example, and the advice that argues against itself or says nothing:

* a chance to win below one half, without a second reason that says what it is for;
* a chance that is not the exact one (`shared.odds`);
* a reason that fits every action, or that says that what is advised is not needed.

`follower` is a player for the arena that does what advice says, to compare with a level:
`conquest-server arena tests.bench.advice:follower normal --games 20 --rounds 60`.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct, field

from server.bots import advice, policy
from server.bots.search import deciding
from server.bots.search.budget import Budget, Thinking
from server.bots.search.games import GAMES
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.odds import classic, mb1984
from shared.odds.outcome import ATTACKER, Host, percent
from shared.rulesets.classic.actions import March as ClassicMarch
from shared.rulesets.mb1984.actions import March as OldMarch
from shared.rulesets.registry import RULESETS, ruleset

POINTLESS: Final = re.compile(
    r"that scores (\d+) points? this season instead of \1\.|win with ([<1-4]?\d|< 1) % and keep"
    r"|(would be wasted|is not needed)|let you act there|^With that \d+ units? of yours stands? in \w+\.$"
)
"""Reasons that say nothing, or speak against what is advised."""
CHANCE: Final = re.compile(r"win with (only )?([<>]? ?\d+ %)")
LOST: Final = re.compile(r"battle is yours with (< 1|[1-4]?\d) %")
STRETCH: Final = 500
"""Positions of one match that are judged at most: long matches are alike in the end."""
TRIES: Final = 8
"""Tries of a follower for each decision; the advice at a table thinks longer."""
EACH: Final = {"classic": 5, "mb1984": 7}
"""Leaders of one player."""


class Tally(Struct):
    """Advice of one game. `reasons`: how often each template was given; `samples`: an example of each; `faults`: the
    advice and the reasons that do not hold."""

    positions: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    samples: dict[str, str] = field(default_factory=dict)
    faults: list[tuple[str, ...]] = field(default_factory=list)


def faults(rules: AnyRuleset, view: Any, seat: Seat, action: Action, said: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with the reasons for an action; `said`: the advice and its reasons in English."""
    words, *why = said
    lends = words.startswith(("Lend", "Commit")) and not words.startswith(("Lend nothing", "Commit no"))
    for reason in why:
        found = POINTLESS.search(reason)
        if found and not (found[3] and not lends):
            yield f"says nothing: {reason}"
        if words.startswith("Fight on") and LOST.search(reason):
            yield f"fights a lost battle: {reason}"
    told = CHANCE.search(why[0]) if why else None
    chance = chance_of(rules, view, seat, action)
    if told is None or chance is None or "Alone that is not enough" in why[0]:
        return
    if told[2] != percent(chance):
        yield f"the chance is {percent(chance)}: {why[0]}"
    if chance < 0.5 and len(why) < 2:
        yield f"an attack without a reason: {why[0]}"


def chance_of(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> float | None:
    """Return the exact chance of an attack by land on one enemy, or None for other actions."""
    if not isinstance(action, ClassicMarch | OldMarch):
        return None
    cell = view.units[action.to]
    enemies = [each for each in cell[::4] if each != seat]
    if len(enemies) != 1 or seat in cell[::4]:
        return None
    there = [i for i, at in enumerate(view.leader_at) if at == action.to and view.lord[i // EACH[rules.id]] == seat]
    odds = {"classic": classic, "mb1984": mb1984}[rules.id]
    army = (action.infantry, action.cavalry, action.catapults)
    mine = Host(army, leaders=len(action.leaders) + len(there))
    return float(odds.odds(mine, odds.present(view, enemies[0], action.to, False), False).wins(ATTACKER))


def judge(rules: AnyRuleset, view: Any, seat: Seat, action: Action, tally: Tally) -> Action:
    """Add the advice for a bot's action to the tally; return the advised action."""
    action, said = advice.explained(rules, view, seat, action)
    texts = tuple(advice.english(sentence) for sentence in said)
    tally.positions += 1
    for sentence, text in zip(said[1:], texts[1:], strict=True):
        tally.reasons[sentence.key] += 1
        tally.samples.setdefault(sentence.key, f"{texts[0]} {text}")
    tally.faults += [(fault, *texts) for fault in faults(rules, view, seat, action, texts)]
    return action


def follow(rules: AnyRuleset, seats: int, seed: int, rollouts: int, tally: Tally, most: int) -> None:
    """Let all players of a match follow the advice, until it is over or so many positions were judged."""
    chance = random.Random(seed)
    state: Any = engine.start(rules, seats, {}, engine.ignore_event)
    while tally.positions < most and (owed := engine.owed(rules, state)):
        seat = owed[0]
        action = engine.chance_action(state, chance) if seat == NATURE else None
        if action is None:
            view = rules.view(state, seat)
            budget = Budget(Thinking(rollouts))
            wished = deciding.decide(GAMES[rules.id], rules, view, seat, chance, budget)
            action = judge(rules, view, seat, wished, tally)
        engine.play(rules, state, seat, action, engine.ignore_event)


def follower(rules: AnyRuleset, view: Any, seat: Seat, chance: random.Random) -> Action:
    """Return the action that advice says, see `server.bots.policy.Policy`."""
    action = policy.choose(policy.strongest(rules.id), rules, view, seat, chance, Thinking(TRIES))
    return advice.explained(rules, view, seat, action)[0]


def main() -> None:
    """Print the reasons and the faults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", choices=list(RULESETS), default="classic")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--rollouts", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tally, seed = Tally(), args.seed
    while tally.positions < args.positions:
        most = min(args.positions, tally.positions + STRETCH)
        follow(ruleset(args.ruleset), args.seats, seed, args.rollouts, tally, most)
        seed += 1
    for key, times in tally.reasons.most_common():
        print(f"{times:6}  {tally.samples[key]}")
    for fault in tally.faults:
        print("FAULT ", *fault, sep="\n    ")
    print(f"{tally.positions} positions of {seed - args.seed} matches, {len(tally.faults)} faults")


if __name__ == "__main__":
    main()
