"""A player of Classic: looks at the table anew for every decision, and takes what looks best now."""

import random

from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.classic.frames import Casualties, Combat, Formation, Placement, Sinking, Withdrawal
from shared.rulesets.classic.game import Rules
from shared.rulesets.classic.view import View
from shared.vocabulary.actions import Concede, EndDestruction, EndMovement
from shared.vocabulary.frames import Bargain, Captives, Destruction, HomeChoice, Movement, Onward, Purchase
from tests.bench.greedy.classic import fighting, marching, sailing, spending
from tests.bench.greedy.classic.survey import Survey

PLANS = (marching.flee, marching.assault, marching.claim, sailing.sail, marching.gather)
"""What to do in the movement phase, the most urgent first."""

STUBBORN, TIRED = 30, 80
"""Rounds before which bots do not concede; rounds after which a lost game is given up earlier."""


def decide(rules: Rules, table: View, seat: Seat, rng: random.Random) -> Action:
    """Return the action of the bot."""
    frame = table.frames[-1]
    if isinstance(frame, HomeChoice):
        found = engine.options(rules, table, seat)
        return found[rng.randrange(len(found))]
    s = Survey(table, seat)
    match frame:
        case Movement():
            if hopeless(s):
                return Concede(s.rivals[0])
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


def hopeless(s: Survey) -> bool:
    """Whether a duel is lost: only the Caesar is left to lead an army, and the enemy has generals and more tribute.

    Generals are not sold to the last enemy. The Caesar could stay behind walls for another hundred rounds, so it is
    kinder to concede. Against twice the tribute the bot does so soon, in the end against any more."""
    if len(s.rivals) != 1 or s.table.round < STUBBORN:
        return False
    ours, theirs = s.table.marker[s.seat], s.table.marker[s.rivals[0]]
    led, enemies = s.at_large(s.seat), s.at_large(s.rivals[0])
    if led + 1 >= enemies or led > 2:
        return False
    if s.table.round < TIRED:
        return led == 1 and 2 * ours <= theirs
    return 2 * ours <= theirs or (led == 1 and ours < theirs)
