"""A handful of battles of each game: in the open and behind walls, at sea, with retreats, and from the middle on."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from shared.ids import Army
from shared.kernel.frames import Dice
from shared.odds import classic, cote2, mb1984
from shared.odds.outcome import ATTACKER, Host, Odds
from shared.rulesets.classic import frames as cf
from shared.rulesets.classic.actions import Form
from shared.rulesets.cote2 import frames as iif
from shared.rulesets.cote2.actions import Attack, Sail
from shared.rulesets.mb1984 import frames as mf
from shared.vocabulary import actions as ma
from shared.vocabulary.actions import Fight
from shared.vocabulary.frames import Onward
from tests.odds.played import Case, paused
from tests.support import layout
from tests.support import position as cl
from tests.support import position1984 as mb
from tests.support import positionii as ii

FIELD = "narbonensis"
Options = Mapping[str, int]
NONE_SET: Options = MappingProxyType({})
STANDING: Mapping[str, Callable[[Any], Odds | None]] = {
    "classic": classic.standing,
    "mb1984": mb1984.standing,
    "cote2": cote2.standing,
}


def told(rules: str, state: Any, **more: Any) -> Case:
    """Return a battle that is going on, with its odds."""
    said = STANDING[rules](state)
    assert said is not None
    return Case(rules, state, said, **more)


def later(case: Case, kind: type[Any], seed: int, after: int = 0) -> Case:
    """Return the same battle from the first decision of that kind on."""
    return told(case.rules, paused(case, kind, seed, after), sides=case.sides)


# --- Classic ---


def on_land(
    mine: Army, theirs: Army, led: tuple[int, int] = (1, 1), walls: bool = False, options: Options = NONE_SET
) -> Case:
    """Return a battle of Classic in which seat 0 attacks seat 1."""
    leaders = [cl.general(seat, 1 + k) for seat in (0, 1) for k in range(led[seat])]
    state = cl.position(homes=("italia", "hispania"), units={FIELD: {0: mine, 1: theirs}}, leaders={FIELD: leaders},
                        owners={FIELD: 1}, built={FIELD: 2 * walls}, phase="combat", options=options)  # fmt: skip
    cl.play(state, (0, Fight(layout.sp(FIELD), 1)))
    return told("classic", state)


def at_sea(ours: int, theirs: int, options: Options = NONE_SET) -> Case:
    """Return a battle at sea in which the first galley of each side is full."""
    galleys = {cl.galley(seat, k): "mare_alexandria" for seat, n in ((0, ours), (1, theirs)) for k in range(n)}
    cargo = {cl.galley(0): (3, 2, 1), cl.galley(1): (2, 0, 2), cl.galley(1, 1): (1, 0, 0)}
    cargo = {galley: army for galley, army in cargo.items() if galley in galleys}
    led: Mapping[str | int, Sequence[int]] = {layout.aboard(g): [cl.general(g // 8, 1 + g % 8)] for g in cargo}
    state = cl.position(galleys=galleys, cargo=cargo, leaders=led, phase="combat", options=options)
    cl.play(state, (0, Fight(layout.sp("mare_alexandria"), 1)))
    return told("classic", state)


def fleeing(mine: Army, theirs: Army, leaves: tuple[int, int]) -> Case:
    """Return a battle of Classic in which each side retreats once it has no more than `leaves` units."""
    case = on_land(mine, theirs)
    hosts = Host(mine, leaders=1, leaves=leaves[0]), Host(theirs, leaders=1, leaves=leaves[1])
    return Case("classic", case.state, classic.odds(*hosts, False), leaves)


def formed(case: Case, mine: Army, theirs: Army) -> Case:
    """Return the battle after both sides chose these battle legions."""
    state = case.state.clone()
    cl.play(state, (1, Form(*theirs)), (0, Form(*mine)))
    return told("classic", state)


def of_classic() -> dict[str, Case]:
    """Return battles of Classic."""
    field, siege = on_land((7, 3, 2), (6, 3, 2)), on_land((8, 2, 1), (6, 2, 1), walls=True)
    fleet = at_sea(3, 4)
    return {
        "in the open": field,
        "behind walls": siege,
        "no leaders": on_land((3, 0, 0), (2, 2, 0), (0, 0)),
        "legions formed otherwise": formed(on_land((9, 3, 2), (6, 3, 1)), (2, 3, 1), (6, 0, 0)),
        "the defender's losses": later(siege, cf.Casualties, 3),
        "the attacker's losses": later(on_land((4, 4, 0), (4, 3, 0)), cf.Casualties, 5, after=1),
        "between two rounds": later(field, Onward, 5),
        "at sea": fleet,
        "retreats": fleeing((6, 4, 1), (5, 3, 1), (4, 2)),
    }


# --- 1984 ---


def shooting(mine: Army, theirs: Army, wall: bool = False, options: Options = NONE_SET) -> Case:
    """Return a battle in which seat 0, at home in Italia, attacks Dalmatia of seat 1."""
    leaders = [mb.general(seat, k) for seat in (0, 1) for k in (1, 2, 3)]
    state = mb.position(homes=("italia", "egyptus"), units={"dalmatia": {0: mine, 1: theirs}},
                        leaders={"dalmatia": leaders}, owners={"dalmatia": 1}, built={"dalmatia": 2 * wall},
                        phase="combat", options=options)  # fmt: skip
    mb.play(state, (0, ma.Fight(layout.sp("dalmatia"), 1)))
    return told("mb1984", state)


def boarding(mine: Army, theirs: Army, ships: tuple[int, int], options: Options = NONE_SET) -> Case:
    """Return a battle at sea in which all units aboard lie in the first galley of each side."""
    galleys = {mb.galley(seat, k): "mare_alexandria" for seat in (0, 1) for k in range(ships[seat])}
    cargo: Mapping[int, Army] = {mb.galley(seat): a for seat, a in ((0, mine), (1, theirs)) if any(a)}
    aboard: Mapping[str | int, Sequence[int]] = {
        layout.aboard(mb.galley(0)): [mb.general(0)],
        layout.aboard(mb.galley(1)): [mb.general(1)],
    }
    state = mb.position(homes=("galatia", "egyptus"), galleys=galleys, cargo=cargo, leaders=aboard, phase="combat",
                        options=options)  # fmt: skip
    mb.play(state, (0, ma.Fight(layout.sp("mare_alexandria"), 1)))
    return told("mb1984", state)


def spread(single: bool) -> Case:
    """Return a battle at sea with units of one kind in two galleys. single: galleys may be fired at before all units
    are gone."""
    galleys = {mb.galley(seat, k): "mare_alexandria" for seat in (0, 1) for k in (0, 1)}
    cargo = {mb.galley(0): (2, 1, 0), mb.galley(0, 1): (1, 0, 1), mb.galley(1): (2, 0, 0), mb.galley(1, 1): (1, 2, 0)}
    aboard: Mapping[str | int, Sequence[int]] = {layout.aboard(g): [mb.general(g // 6, 1 + g % 6)] for g in galleys}
    state = mb.position(homes=("galatia", "egyptus"), galleys=galleys, cargo=cargo, leaders=aboard, phase="combat",
                        options={"galley_targets": int(single)})  # fmt: skip
    mb.play(state, (0, ma.Fight(layout.sp("mare_alexandria"), 1)))
    return told("mb1984", state)


def of_mb1984() -> dict[str, Case]:
    """Return battles of 1984."""
    even, fleets = shooting((5, 3, 2), (4, 3, 2)), boarding((2, 2, 1), (1, 2, 1), (2, 2))
    mine, theirs = (6, 2, 2), (5, 2, 1)
    fled = shooting(mine, theirs)
    said = mb1984.odds(Host(mine, leaves=4), Host(theirs), False)
    return {
        "in the open": even,
        "against a wall": shooting((7, 2, 2), (4, 2, 2), wall=True),
        "a lead that needs no die": shooting((3, 2, 4), (6, 3, 0)),
        "the defender's shot": later(even, mf.Aiming, 4, after=1),
        "between two rounds": later(even, Onward, 4),
        "at sea": fleets,
        "at sea, the defender's shot": later(fleets, mf.Aiming, 6, after=1),
        "at sea, a loss whose galley is to be named": later(spread(False), mf.CargoLoss, 3),
        "at sea, each galley for itself": spread(True),
        "retreats": Case("mb1984", fled.state, said, (4, 0)),
    }


# --- Conquest II ---


def clash(mine: Army = (5, 2, 1), theirs: Army = (4, 2, 0), key: str = "galatia", **more: Any) -> Case:
    """Return a battle in which seat 0 attacks seat 1; all allies that can help do."""
    lent = more.pop("lent", {})
    state = ii.position(units={key: {0: mine, 1: theirs, **lent}}, **more)
    ii.play(state, (0, Attack(layout.sp(key), 1)))
    sides = {seat: seat % 2 for seat in range(4)} | {6: ATTACKER}
    return _gathered(Case("cote2", state, NOTHING, sides=sides))


NOTHING = Odds((), (0.0, 0.0), 0.0)


def _gathered(case: Case) -> Case:
    """Return the battle from its first dice on."""
    return told(case.rules, paused(case, Dice, 1), sides=case.sides)


def fleets(ours: int, theirs: int, **more: Any) -> Case:
    """Return a battle in which seat 0 attacks at sea."""
    ships = {ii.galley(seat, k): "mare_narbo" for seat, n in ((0, ours), (1, theirs)) for k in range(n)}
    state = ii.position(galleys=ships, **more)
    ii.play(state, (0, Sail(-1, (), layout.sp("mare_narbo"), 1)))
    return _gathered(Case("cote2", state, NOTHING))


def of_cote2() -> dict[str, Case]:
    """Return battles of Conquest II."""
    led = {"galatia": [ii.general(0)]}
    field = clash(theirs=(5, 2, 1), leaders=led, cards={0: ["army_training"], 1: ["army_training"] * 2})
    storm = clash((6, 1, 1), (4, 2, 0), cities={"galatia": 1}, leaders={"galatia": [ii.general(1)]})
    helped = clash(
        (2, 1, 0), (3, 1, 1), "italia", seats=4, lent={2: (1, 1, 0), 3: (2, 0, 0)},
        galleys={ii.galley(0): "mare_tyrrhenum", ii.galley(1): "mare_tyrrhenum", ii.galley(3): "mare_tyrrhenum"},
        cards={0: ["diplomacy_italia"]},
    )  # fmt: skip
    mine, theirs = (5, 2, 1), (4, 2, 0)
    said = cote2.odds(Host(mine, leaves=3), Host(theirs, leaves=2), False)
    return {
        "in the open": field,
        "storming a city": storm,
        "lent units and troops of a card": helped,
        "the defender's losses": later(field, iif.Casualties, 5),
        "the attacker's losses": later(field, iif.Casualties, 13, after=1),
        "stormed": later(storm, iif.Casualties, 5),
        "the losses of a stormed city": later(storm, iif.Casualties, 6, after=1),
        "between two rounds": later(field, Onward, 5),
        "at sea": fleets(4, 3, cards={1: ["naval_training"], 0: ["diplomacy_pirates"]}),
        "retreats": Case("cote2", clash(mine, theirs).state, said, (3, 2)),
    }


# --- every option ---


def small(rules: str, options: Options) -> dict[str, Case]:
    """Return small battles of a game under these options, all of whose courses can be played."""
    return SMALL[rules](options)


def _small_classic(options: Options) -> dict[str, Case]:
    return {
        "in the open": on_land((1, 1, 0), (1, 0, 1), options=options),
        "behind walls": on_land((2, 0, 0), (1, 0, 0), walls=True, options=options),
        "catapults against walls": on_land((1, 0, 1), (1, 0, 0), walls=True, options=options),
        "at sea": at_sea(1, 2, options=options),
    }


def _small_mb1984(options: Options) -> dict[str, Case]:
    return {
        "in the open": shooting((2, 1, 1), (1, 1, 1), options=options),
        "against a wall": shooting((2, 1, 1), (1, 1, 0), wall=True, options=options),
        "at sea": boarding((1, 1, 0), (1, 0, 1), (2, 1), options=options),
    }


def _small_cote2(options: Options) -> dict[str, Case]:
    led = {"galatia": [ii.general(0)]}
    return {
        "in the open": clash((1, 1, 0), (1, 0, 0), leaders=led, options=options),
        "storming a city": clash((1, 1, 0), (1, 0, 0), cities={"galatia": 1}, options=options),
        "at sea": fleets(2, 2, cards={1: ["naval_training"]}, options=options),
    }


SMALL: Mapping[str, Callable[[Options], dict[str, Case]]] = {
    "classic": _small_classic,
    "mb1984": _small_mb1984,
    "cote2": _small_cote2,
}
