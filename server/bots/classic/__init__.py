"""A player of Classic: looks at the table anew for every decision, and takes what looks best now."""

import random

from server.bots.classic import assault, expedition, fighting, marching, spending
from server.bots.classic.survey import Survey
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import Concede, EndDestruction, EndMovement
from shared.rulesets.classic.frames import (
    Bargain,
    Captives,
    Casualties,
    Combat,
    Destruction,
    Formation,
    HomeChoice,
    Movement,
    Onward,
    Placement,
    Purchase,
    Sinking,
    Withdrawal,
)
from shared.rulesets.classic.game import Rules
from shared.rulesets.classic.view import View

PLANS = (marching.flee, assault.assault, expedition.invade, marching.claim, expedition.sail, marching.gather)
"""What to do in the movement phase, the most urgent first."""

EARLIEST, STUBBORN, TIRED = 10, 30, 45
"""Rounds before which nobody concedes; before which nobody with a home, or with several rivals, does; from which a lost
game is given up earlier."""

HOPELESS, UNLIKELY = 2, 1.6
"""How much more than we the last enemy must have when a duel is lost, and when it is tired of: of those who had so much
less nobody, and one in fifty, won after all in matches of normal bots that were looked through."""


def decide(rules: Rules, table: View, seat: Seat, rng: random.Random) -> Action:
    """What to do now."""
    frame = table.frames[-1]
    if isinstance(frame, HomeChoice):
        found = engine.options(rules, table, seat)
        return found[rng.randrange(len(found))]
    s = Survey(table, seat)
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
            return EndDestruction()
        case Purchase():
            return spending.buy(s, frame)
        case Placement():
            return spending.place(s, frame, rng)
        case Bargain():
            return spending.answer(s, frame)
    return engine.default(rules, table, seat)


def agreed(s: Survey) -> int:
    """To whom the match is lost, or NONE. Nobody sells a general to his last enemy, and a Caesar could sit behind his
    walls, or run, for another hundred rounds: it is kinder to concede. Among several it counts when all agree."""
    foremost = max(s.rivals, key=lambda rival: (s.table.marker[rival], s.strength(rival)))
    return foremost if _is_lost(s, foremost) else NONE


def _is_lost(s: Survey, to: Seat) -> bool:
    """Whether nothing can be won against that rival any more; in a duel that is known earlier, and from less."""
    last, late = len(s.rivals) == 1, s.table.round >= STUBBORN
    if _is_hunted(s, to) and (last or late):
        return True
    return late and (_is_besieged(s, to) or (last and (_has_no_generals(s, to) or _is_outlasted(s, to))))


def _is_hunted(s: Survey, to: Seat) -> bool:
    """No home to hire units in, and few left."""
    return not s.home_is_mine and 3 * s.strength(s.seat) <= s.strength(to) and s.table.round >= EARLIEST


def _is_besieged(s: Survey, to: Seat) -> bool:
    """An enemy of four times the tribute, and no weaker."""
    ours, theirs = s.table.marker[s.seat], s.table.marker[to]
    return 4 * ours <= theirs and s.strength(s.seat) <= s.strength(to)


def _is_outlasted(s: Survey, to: Seat) -> bool:
    """An enemy of far more units and means."""
    least = HOPELESS if s.table.round < TIRED else UNLIKELY
    return least * s.lasting(s.seat) <= s.lasting(to)


def _has_no_generals(s: Survey, to: Seat) -> bool:
    """Hardly anybody left to lead an army but the Caesar, and an enemy with generals and more tribute."""
    ours, theirs = s.table.marker[s.seat], s.table.marker[to]
    led, enemies = s.at_large(s.seat), s.at_large(to)
    if led + 1 >= enemies or led > 2:
        return False
    if s.table.round < TIRED:
        return led == 1 and 2 * ours <= theirs
    return 2 * ours <= theirs or (led == 1 and ours < theirs)
