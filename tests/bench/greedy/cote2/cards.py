"""Worth of every card to a bot, in one table: to obtain it, to use it, to win its vote."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from shared.ids import NONE
from shared.mechanics.cells import army_of
from shared.mechanics.vote import weight
from shared.rulesets.cote2.actions import Campaign, Obtain, Use
from shared.rulesets.cote2.data import CARDS, DATA, NAMED, ByAct
from shared.rulesets.cote2.economy import INFLUENCE_PRICE
from shared.rulesets.cote2.effect import Taken
from shared.rulesets.cote2.state import LEADERS, allied
from tests.bench.greedy.cote2.survey import CHAOS, LIKELY, PURSE, SENATOR, TALENT, UNIT, Eye


class Worth(Struct, frozen=True):
    """Worth of a card, in victory points.

    taken(eye, action): obtaining it like that, without its price.
    used(eye, action): whether it does good now.
    won(eye): winning the vote that it calls."""

    taken: Callable[[Eye, Any], float]
    used: Callable[[Eye, Use], bool]
    won: Callable[[Eye], float]


Taking = Callable[[Eye, Taken], float]


def _flat(worth: float) -> Taking:
    return lambda _eye, _action: worth


def _each_season(worth: float) -> Taking:
    return lambda eye, _action: worth * eye.left


def _last_round(eye: Eye) -> bool:
    return eye.table.round >= DATA.rounds


def _never(_eye: Eye, _action: Use) -> bool:
    return False


def _nothing(_eye: Eye) -> float:
    return 0.0


# --- multi-use cards ---


def _customers(eye: Eye, action: Obtain) -> float:
    tokens = eye.table.influence[NAMED[action.card][0]][eye.seat]
    return CARDS[action.card].gain[0] * tokens * TALENT * eye.left


def _trade(eye: Eye, _action: Use) -> bool:
    return _last_round(eye)


def _loot(eye: Eye, _action: Use) -> bool:
    return eye.money < PURSE or _last_round(eye)


def _kill(eye: Eye, action: Use) -> bool:
    return action.leader != NONE and not allied(eye.table, eye.seat, action.leader // LEADERS)


# --- the senate ---


def _votes(eye: Eye) -> tuple[int, float]:
    """Own votes, and those that the strongest other hand may hold."""
    rivals = [sum(hand) * LIKELY for seat, hand in enumerate(eye.table.senators) if seat != eye.seat]
    return weight(eye.table.senators[eye.seat]), max(rivals, default=0.0)


def _call(eye: Eye, _action: Use) -> bool:
    """Whether a vote can be won, or it is the last chance to win one."""
    mine, rival = _votes(eye)
    return mine > 0 and (mine > rival or _last_round(eye))


def _vote(worth: float, won: Callable[[Eye], float] | None = None) -> Worth:
    """A card that calls a vote which is worth so much."""

    def taken(eye: Eye, _action: Taken) -> float:
        mine, rival = _votes(eye)
        return min(worth * 0.5, 8.0) * eye.left * min(1.0, (mine + 2) / (rival + 2))

    return Worth(taken, _call, won or (lambda _eye: worth))


def _calm(eye: Eye) -> float:
    return min(10, eye.table.chaos[eye.seat]) * CHAOS


def _senator(_eye: Eye, action: Obtain) -> float:
    return CARDS[action.card].gain[0] * SENATOR


# --- immediate cards ---


def _city(eye: Eye, action: Obtain) -> float:
    """Taxes, and calm when a season ends."""
    tokens = eye.table.influence[action.target][eye.seat]
    return tokens * 5 * TALENT * eye.left + 3 * CHAOS * eye.left


def _campaign(eye: Eye, action: Campaign) -> float:
    """The reward, less what is left bare and the time that it takes."""
    infantry, cavalry, talents, points = CARDS[action.card].gain
    bare = eye.guard(action.source) * (army_of(eye.table.units[action.source], eye.seat)[0] <= action.infantry)
    return points * 0.9 + talents * TALENT + (infantry + cavalry) * UNIT - 1.5 * bare - 2.0


def _politician(eye: Eye, _action: Obtain) -> float:
    return eye.purchase(eye.caesar, (NONE,), eye.guarded(eye.caesar)) + INFLUENCE_PRICE * TALENT


def _bribe(eye: Eye, action: Obtain) -> float:
    return 3.5 * (not allied(eye.table, eye.seat, action.target)) + 1.0


WORTH: Final = ByAct(
    merchant=Worth(_customers, _trade, _nothing),
    assassin=Worth(_each_season(2.5), _kill, _nothing),
    loot=Worth(_each_season(4.0), _loot, _nothing),
    emergency_tax=_vote(6.0),
    bread_and_circuses=_vote(5.0, _calm),
    hail_caesar=_vote(15.0),
    new_legions=_vote(5.0),
    influence_in_rome=_vote(11.0),
    senator=Worth(_senator, _never, _nothing),
    troops=Worth(_flat(0.2), _never, _nothing),
    pirates=Worth(_flat(0.2), _never, _nothing),
    fleet=Worth(_flat(2.0), _never, _nothing),
    city=Worth(_city, _never, _nothing),
    barbarians=Worth(_campaign, _never, _nothing),
    politician=Worth(_politician, _never, _nothing),
    bribe=Worth(_bribe, _never, _nothing),
    revolt=Worth(_flat(0.0), _never, _nothing),
    army=Worth(_flat(3.0), _never, _nothing),
    navy=Worth(_flat(0.2), _never, _nothing),
    wind=Worth(_flat(0.5), _never, _nothing),
)
