"""Search in Conquest II: the normal action of a turn against the best actions of other kinds.

Deployments, bids in the last auction, votes, aid and decisions to fight on are searched too. Cards that the seat cannot
see are dealt anew for each rollout. This season and the next are played to their ends.
"""

import math
import random
from collections.abc import Sequence
from typing import Final

from server.bots import cote2
from server.bots.cote2 import planning
from server.bots.cote2.cards import WORTH
from server.bots.cote2.fast_policy import FastPolicy
from server.bots.cote2.position_analysis import SeatAnalysis
from server.bots.search import learned
from server.bots.search.game import Policy, SearchedGame, SearchPlan, scene
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.armies import army_of
from shared.rulesets.cote2.actions import Attack, Campaign, Deploy, Incite, Influence, Move, Obtain, Recruit, Sail
from shared.rulesets.cote2.alliances import unallied
from shared.rulesets.cote2.complete import complete
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.frames import Aid, Auction, Deployment, Turn, Vote
from shared.rulesets.cote2.options import SEASONS, prices
from shared.rulesets.cote2.property import influence_of
from shared.rulesets.cote2.scoring import province_points
from shared.rulesets.cote2.state import GALLEYS, LEADERS, OFF, State, TableFields
from shared.rulesets.cote2.view import View
from shared.vocabulary.frames import Onward

OTHERS: Final = 8
"""Actions that are tried beside the normal one."""
BIDS: Final = 4
"""Answers that are tried in the last auction, which decides who acts last."""
SMALL: Final = 0.1
"""Share of the thinking time that decisions of little weight get."""


def plans(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[SearchPlan]:
    """Return the plans to try: the normal player's action first, then its next best ones or all options."""
    usual = cote2.decide(rules, view, seat, rng)
    frame, others = view.frames[-1], list[Action]()
    match frame:
        case Turn() if frame.left:
            others = _next_best(rules, view, frame, usual)
        case Deployment():
            others = [way for way in engine.options(rules, view, seat) if _is_variant(way, usual)]
        case Auction() if len(unallied(view)) <= 2:
            others = list(engine.options(rules, view, seat))[:BIDS]
        case Vote() | Onward() | Aid():
            others = list(engine.options(rules, view, seat))
    return [SearchPlan(action) for action in (usual, *others[:OTHERS])]


def _is_variant(way: Action, usual: Action) -> bool:
    """Whether a deployment differs from the normal one by one leader only.

    A general may also take the Caesar's place; the army goes with the Caesar.
    """
    if not isinstance(way, Deploy) or not isinstance(usual, Deploy):
        return False
    if way.galley != usual.galley or len(way.armies) != len(usual.armies):
        return False
    return usual.caesar in (way.caesar, way.general) or usual.general == way.general


def _next_best(rules: AnyRuleset, view: View, frame: Turn, usual: Action) -> list[Action]:
    """Return the normal player's next best actions, one of each kind: actions of a kind mostly come to the same."""
    found = sorted(planning.plans(SeatAnalysis(view, frame.seat), frame), key=lambda plan: -plan.worth)
    others: dict[tuple[object, ...], Action] = {kind_of(usual): usual}
    for plan in found:
        if len(others) > OTHERS:
            break
        kind = kind_of(plan.action)
        if kind not in others and engine.check(rules, view, frame.seat, plan.action) is None:
            others[kind] = plan.action
    return list(others.values())[1:]


def kind_of(action: Action) -> tuple[object, ...]:
    """Return the kind of an action: its type, place and leaders, without amounts and opponents."""
    match action:
        case Move(source, _armies, leaders):
            return Move, source, leaders
        case Recruit(armies):
            return Recruit, tuple([space for space, *_units in armies])
        case Obtain(card) | Campaign(card):
            return Obtain, card
        case Influence(space) | Attack(space) | Incite(space):
            return type(action), space
        case Sail(_to, _galleys, _zone, enemy):
            return Sail, enemy
    return (type(action),)


def share(view: View) -> float:
    """Return the share of the thinking time: most decisions within a battle and early bids get a small one.

    Votes about a card that brings nothing get none, so that no senators are shown for it.
    """
    match view.frames[-1]:
        case Vote() as frame:
            return float(WORTH.of(frame.card).won(SeatAnalysis(view, frame.seat), frame.seat) > 0.0)
        case Turn() as frame:
            return 1.0 if frame.left else SMALL
        case Deployment() | Onward() | Aid():
            return 1.0
        case Auction():
            return 1.0 if len(unallied(view)) <= 2 else SMALL
    return SMALL


def turn(table: TableFields) -> int:
    """Return the season."""
    return table.season


def turns(_table: TableFields) -> int:
    """Return 2: a rollout ends with the next season, which shows the use of guards, votes and talents that are left."""
    return 2


def matter(table: State) -> tuple[object, ...]:
    """Return the round, the seat whose turn it is, the deciding frame, and its place in a battle."""
    mover = next((under.seat for under in table.frames if type(under) is Turn), NONE)
    return table.round, mover, *scene(table)


def judged(table: TableFields) -> Sequence[Seat]:
    """Return all seats."""
    return range(table.seats)


def features(table: TableFields, seat: Seat) -> list[list[float]]:
    """Return the features of a seat at the end of a season, beyond those of all rivals together.

    The first is the number of rivals. The leads over the best rival follow: in points, in points with those that the
    provinces will bring, in talents, in tokens, in tokens with guards, and in troops. The last is the average chaos
    less the seat's own. Points count more and things to come count less, the fewer seasons are left.
    """
    left = max(0, table.options[SEASONS] - table.season + 1)
    coming = [0] * table.seats
    for space in KEYS:
        coming = [had + more for had, more in zip(coming, province_points(table, space), strict=True)]
    seats = range(table.seats)
    # Tokens in provinces where their seat has units: others can take the rest at once.
    guarded = [sum([table.influence[at][who] for at in KEYS if any(army_of(table.units[at], who))]) for who in seats]
    return [
        [
            math.log(1 / (table.seats - 1)),
            _lead(table.points, seat) / 20 / (1 + left),
            _lead([points + income * left for points, income in zip(table.points, coming, strict=True)], seat)
            / 20
            / (1 + left),
            _lead(table.talents, seat) / 100,
            _lead([influence_of(table, who) for who in seats], seat) / 5,
            _lead(guarded, seat) * left / 10,
            _lead([_troops(table, who) for who in seats], seat) * left / 200,
            (sum(table.chaos) / table.seats - table.chaos[seat]) * (left > 0) / 10,
        ]
    ]


def _lead(row: Sequence[int], seat: Seat) -> float:
    return float(row[seat] - max(n for other, n in enumerate(row) if other != seat))


def _troops(table: TableFields, seat: Seat) -> int:
    """Return the price of a seat's units and generals on the board."""
    infantry, cavalry, catapults, galleys, generals = prices(table)
    worth = galleys * sum([at != OFF for at in table.galley_at[seat * GALLEYS : (seat + 1) * GALLEYS]])
    worth += generals * sum([at != OFF for at in table.leader_at[seat * LEADERS + 1 : (seat + 1) * LEADERS]])
    for cell in table.units:
        if cell:
            army = army_of(cell, seat)
            worth += army[0] * infantry + army[1] * cavalry + army[2] * catapults
    return worth


def value(table: TableFields, seat: Seat) -> float:
    """Return the chance of a seat to win."""
    if table.winner != NONE:
        return (seat in table.winners) / len(table.winners)
    return learned.chance(features(table, seat), learned.weights("cote2"))


def players(_chance: random.Random) -> Policy:
    """Return the fast policy for all players."""
    return FastPolicy().decide


GAME: Final[SearchedGame[View, State]] = SearchedGame(
    complete, plans, players, turn, turns, value, features, judged, True, matter, share
)
