"""Purchases, and where they go."""

import random

from shared.ids import Space
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.mechanics.armies import total
from shared.mechanics.places import OFF
from shared.mechanics.wares import Ware
from shared.rulesets.mb1984.actions import Buy, Reply
from shared.rulesets.mb1984.economy import PRICES, home_room, stock
from shared.rulesets.mb1984.game import Rules
from shared.rulesets.mb1984.state import GALLEYS
from shared.vocabulary.actions import PlaceCity, PlaceGalley, PlaceRoad
from tests.bench.greedy.mb1984.prisoners import reply_value
from tests.bench.greedy.mb1984.survey import FAR, SAFE, Survey


def buy(survey: Survey, rules: Rules, frame: Frame, _rng: random.Random) -> Action:
    """Men for empty generals first, then galleys for an expedition, catapults, and cities from what is left."""
    table, seat = survey.table, survey.seat
    most = list(stock(table, seat))
    money = table.talents[seat] // table.inflation
    room = home_room(table, seat)
    order = [0] * len(PRICES)

    def add(ware: Ware, wanted: int) -> None:
        nonlocal money, room
        n = max(0, min(wanted, most[ware] - order[ware], money // PRICES[ware]))
        if ware.is_unit:
            n = min(n, room)
            room -= n
        order[ware] += n
        money -= n * PRICES[ware]

    home = table.home[seat]
    here = survey.army(home)
    if survey.risk(home, here) > SAFE:
        add(Ware.CATAPULTS, 1)
        add(Ware.INFANTRY, 4)
    open_land = bool(survey.land()) and min((survey.land().get(s, FAR) for s in _mine(survey)), default=FAR) < 3
    galleys = sum(at != OFF and table.lord[g // GALLEYS] == seat for g, at in enumerate(table.galley_at))
    if open_land and total(here) < 4:
        add(Ware.INFANTRY, 4 - total(here))
    if money >= 150 and table.marker[seat] < 80:
        add(Ware.CITIES, 1)
    if galleys < 1 + (table.marker[seat] > 60) and table.marker[seat] >= 40:
        add(Ware.GALLEYS, 1)
    infantry, _cavalry, catapults = here
    add(Ware.CATAPULTS, 5 - catapults % 6 if catapults < 12 else 0)
    add(Ware.INFANTRY, max(0, 2 + catapults + order[Ware.CATAPULTS] - infantry - order[Ware.INFANTRY]))
    if not most[Ware.CATAPULTS]:
        add(Ware.CAVALRY, 2)
    return Buy(*order)


def _mine(survey: Survey) -> list[Space]:
    return [space for space, owner in enumerate(survey.table.owner) if owner == survey.seat]


def place(survey: Survey, rules: Rules, _frame: Frame, _rng: random.Random) -> Action | None:
    """Cities on the dearest safe ground, every road; galleys on the coast that faces the enemy."""
    found = list(engine.options(rules, survey.table, survey.seat))
    distance = survey.sea()
    best, score = None, -1.0
    for action in found:
        value = -1.0
        if isinstance(action, PlaceCity):
            value = 10 - 5 * survey.risk(action.space, survey.army(action.space))
        elif isinstance(action, PlaceGalley):
            value = 10 - distance.get(action.position, FAR) / 10
        elif isinstance(action, PlaceRoad):
            value = 5
        elif isinstance(action, Reply):
            value = reply_value(survey, action)
        if value > score:
            best, score = action, value
    return best if score > 0 else None
