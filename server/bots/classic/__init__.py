"""Player of Classic: evaluates the table anew for every decision and takes what looks best now."""

import random
from typing import Final

from server.bots.classic import assault, campaign, expedition, fighting, homecoming, march_plans, spending
from server.bots.classic.position_analysis import PositionAnalysis
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.classic.definition import Rules
from shared.rulesets.classic.frames import Casualties, Combat, Formation, Placement, Sinking, Withdrawal
from shared.rulesets.classic.view import View
from shared.vocabulary.actions import Concede, EndMovement
from shared.vocabulary.frames import Bargain, Captives, Destruction, HomeChoice, Movement, Onward, Purchase

PLANS = (
    homecoming.reconquer,
    march_plans.flee,
    assault.assault,
    homecoming.gather_at_home,
    campaign.campaign,
    expedition.invade,
    march_plans.claim,
    expedition.sail,
    march_plans.gather,
)
"""Plans of the movement phase, the most urgent first."""

EARLIEST, EARLY, STUBBORN, TIRED, ENDLESS = 10, 18, 30, 45, 52
"""Rounds that decide about conceding.

Before EARLIEST a bot never concedes. Before EARLY it concedes only a duel, and only without a home. Before STUBBORN it
concedes only to far larger means. From TIRED it gives up a lost game earlier, and from ENDLESS any duel that goes
against it: two rich players can hold out for ever.
"""

COMMANDING = 3
"""Leaders against which a Caesar alone has lost, in the end: no other leader can attack."""

TRIBUTES, FALLING = 4, 0.15
"""Ratio of tributes from which a match is lost, and its decrease in each round from TIRED."""

HOPELESS, FADING, UNLIKELY = 3.0, 0.06, 1.6
"""Ratio of means from which a duel is lost: in round EARLIEST, its decrease in each round, and at least.

In 150 duels without concessions, players with a home who were behind by 1.6 won 1 of 550 times. See also HOMELESS.
"""
HOMELESS: Final = 3.0
"""The same for a seat without its home, which may win it back and hire an army."""


def decide(rules: Rules, table: View, seat: Seat, rng: random.Random, boldness: float = 0.0) -> Action:
    """Return the action to take now. boldness: amount by which an attack needs less chance."""
    frame = table.frames[-1]
    if isinstance(frame, HomeChoice):
        found = engine.options(rules, table, seat)
        return found[rng.randrange(len(found))]
    s = PositionAnalysis(table, seat, rng, boldness)
    match frame:
        case Movement():
            if (to := agreed(s)) != table.conceded[seat]:
                return Concede(to)
            return next((action for plan in PLANS if (action := plan(s)) is not None), EndMovement())
        case Combat():
            return fighting.next_battle(s, frame)
        case Formation():
            return fighting.form(s, frame)
        case Casualties():
            return fighting.lose(s, frame)
        case Onward():
            return fighting.onward(s, frame)
        case Withdrawal():
            return fighting.withdraw(s, frame)
        case Captives():
            return fighting.judge(s, frame)
        case Sinking():
            return fighting.sink(s, frame)
        case Destruction():
            return spending.raze(s)
        case Purchase():
            return spending.buy(s, frame)
        case Placement():
            return spending.place(s, frame, rng)
        case Bargain():
            return spending.answer(s, frame)
    return engine.default(rules, table, seat)


def agreed(s: PositionAnalysis) -> int:
    """Return the rival to concede the lost match to, or NONE.

    In a duel captured generals are never sold back, and a Caesar could hold out for another hundred rounds. Conceding
    is kinder. Among several players a concession counts when all agree.
    """
    foremost = max(s.rivals, key=lambda rival: (s.table.marker[rival], s.strength(rival)))
    return foremost if _is_lost(s, foremost) else NONE


def _is_lost(s: PositionAnalysis, to: Seat) -> bool:
    """Whether the match against a rival is lost; a duel counts as lost earlier and by a smaller gap."""
    last, late = len(s.rivals) == 1, s.table.round >= STUBBORN
    # Without a home to hire units in, and with at most a third of the rival's units:
    hunted = not s.home_is_mine and 3 * s.strength(s.seat) <= s.strength(to) and s.table.round >= EARLIEST
    if hunted and (last or late):
        return True
    if last and s.table.round >= EARLY and _is_outlasted(s, to):
        return True
    return late and (_is_besieged(s, to) or (last and (_has_no_generals(s, to) or _is_behind(s, to))))


def _is_besieged(s: PositionAnalysis, to: Seat) -> bool:
    """Whether the rival has a multiple of the tribute and no weaker army."""
    ours, theirs = s.table.marker[s.seat], s.table.marker[to]
    least = TRIBUTES - FALLING * max(0, s.table.round - TIRED)
    return least * ours <= theirs and s.strength(s.seat) <= s.strength(to)


def _is_outlasted(s: PositionAnalysis, to: Seat) -> bool:
    """Whether the rival has far more units and means: the longer the match, the less of them."""
    least = max(UNLIKELY, HOPELESS - FADING * (s.table.round - EARLIEST)) if s.home_is_mine else HOMELESS
    return least * s.lasting(s.seat) <= s.lasting(to)


def _is_behind(s: PositionAnalysis, to: Seat) -> bool:
    """Whether the rival of a match without end has more means, and no fewer generals."""
    if s.table.round < ENDLESS or s.at_large(s.seat) > s.at_large(to):
        return False
    return s.lasting(s.seat) < s.lasting(to)


def _has_no_generals(s: PositionAnalysis, to: Seat) -> bool:
    """Whether hardly any leader but the Caesar is left, against a rival with generals and mostly more tribute."""
    ours, theirs = s.table.marker[s.seat], s.table.marker[to]
    led, enemies = s.at_large(s.seat), s.at_large(to)
    if led + 1 >= enemies or led > 2:
        return False
    if 3 * ours <= 2 * theirs and s.lasting(s.seat) < s.lasting(to):
        return True
    if s.table.round < TIRED:
        return led == 1 and 2 * ours <= theirs
    return 2 * ours <= theirs or (led == 1 and (ours < theirs or enemies >= COMMANDING))
