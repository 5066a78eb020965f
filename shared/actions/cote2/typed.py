"""Kinds of things in the typed commands of Conquest II: groups of units, cards and their targets, senators."""

from collections.abc import Sequence
from typing import Final

from shared.actions.grammar import Known, PhraseContext, ThingKind, Values
from shared.actions.name_lookup import find, folded
from shared.actions.typed import (
    ARMS,
    GALLEY,
    GALLEYS,
    LEADER,
    NOTHING,
    PLAYER,
    PROVINCE,
    SPACE,
    UNITS,
    ZONE,
    apart,
    counted,
    entries,
    leader_name,
    one,
    perhaps,
    placed,
    player_name,
    players,
    several,
)
from shared.board import BOARD
from shared.ids import NONE, UNIT_NAMES, Leader, Space
from shared.language.sentence import _
from shared.mechanics.armies import army_of, words
from shared.rulesets.cote2.data import CARDS, ByAct
from shared.rulesets.cote2.state import ALIENS, leaders_at
from shared.sentences.cote2 import VALUES

GALLEYS_OR_NOTHING: Final = ThingKind(
    f"{GALLEYS.name}, or nothing", lambda values, scene: GALLEYS.say(values, scene) or "nothing", GALLEYS.read
)

# --- groups: units with a place, or with an owner ---


def _say_armies(values: Values, scene: PhraseContext) -> str:
    return "; ".join(f"{words(army)} in {BOARD.names[space]}" for space, *army in values[0])


def _read_armies(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    groups = [placed(part, "in") for part in entries(text)]
    return [(tuple([(PROVINCE.read(where, scene, known)[0][0], *UNITS.read(what, scene, known)[0])
                    for what, where in groups]),)]  # fmt: skip


ARMIES: Final = ThingKind("UNITS in PROVINCE; ...", _say_armies, _read_armies)

_LEVY: Final = counted("", "piece", (*ARMS, "generals", "galleys"), (*UNIT_NAMES[:3], "general", "galley"))


def _say_recruits(values: Values, scene: PhraseContext) -> str:
    armies, fleets = values
    groups = [(space, *counts, 0) for space, *counts in armies] + [(zone, 0, 0, 0, 0, n) for zone, n in fleets]
    return "; ".join(f"{_LEVY.say(tuple(counts), scene)} in {BOARD.names[space]}" for space, *counts in groups)


def _read_recruits(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    armies, fleets = [], []
    for what, where in (placed(part, "in") for part in entries(text)):
        *land, galleys = _LEVY.read(what, scene, known)[0]
        space = SPACE.read(where, scene, known)[0][0]
        armies += [(space, *land)] if any(land) else []
        fleets += [(space, galleys)] if galleys else []
    return [(tuple(armies), tuple(fleets))]


RECRUITS: Final = ThingKind("UNITS, GENERALS in PROVINCE; GALLEYS in SEA; ...", _say_recruits, _read_recruits)


def _say_moves(values: Values, scene: PhraseContext) -> str:
    armies, leaders = values
    targets = dict.fromkeys([space for space, *_army in armies] + [space for _leader, space in leaders])
    return "; ".join(f"{_column(armies, leaders, space, scene)} to {BOARD.names[space]}" for space in targets)


def _column(armies: Sequence[Values], leaders: Sequence[Values], to: Space, scene: PhraseContext) -> str:
    """Return the command's text for all pieces that go to one province."""
    going = [leader_name(scene, leader) for leader, space in leaders if space == to]
    return ", ".join([words(army) for space, *army in armies if space == to] + going)


def _read_moves(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    armies, leaders = [], []
    for what, where in (placed(part, "to") for part in entries(text)):
        to = PROVINCE.read(where, scene, known)[0][0]
        led, army = _force(what, scene, known)
        armies += [(to, *army)] if any(army) else []
        leaders += [(leader, to) for leader in led]
    return [(tuple(armies), tuple(leaders))]


def _force(what: str, scene: PhraseContext, known: Known) -> tuple[list[Leader], Sequence[int]]:
    """Return the leaders and units of a list; entries with a number, and "all", mean units."""
    source = known["source"]
    if folded(what) == "all":
        return list(leaders_at(scene.table, scene.seat, source)), army_of(scene.table.units[source], scene.seat)
    parts = apart(what)
    led = [part for part in parts if not part[:1].isdigit()]
    army = [part for part in parts if part[:1].isdigit()]
    names = [(leader_name(scene, x), x) for x in leaders_at(scene.table, scene.seat, source)]
    found = [find(part, names, _("leader of yours in {place}", place=BOARD.names[source])) for part in led]
    return found, UNITS.read(", ".join(army), scene, known)[0]


MOVES: Final = ThingKind("UNITS, LEADERS to PROVINCE; ...", _say_moves, _read_moves)

_AUXILIARIES: Final = "auxiliaries"


def _owners(scene: PhraseContext) -> list[tuple[str, int]]:
    return [*players(scene), (_AUXILIARIES, ALIENS)]


_OWNER: Final = one("PLAYER", "player", _owners)


def _say_losses(values: Values, scene: PhraseContext) -> str:
    groups = [(words(army), owner) for owner, *army in values[0]]
    parts = [f"{army}{'' if owner == scene.seat else f' of {_OWNER.say((owner,), scene)}'}" for army, owner in groups]
    return "; ".join(parts) or "no units"


def _read_losses(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    if folded(text) in NOTHING:
        return [((),)]
    groups = []
    for part in entries(text):
        what, of, owner = part.partition(" of ")
        seat = _OWNER.read(owner, scene, known)[0][0] if of else scene.seat
        groups.append((seat, *UNITS.read(what, scene, known)[0]))
    return [(tuple(groups),)]


LOSSES: Final = ThingKind("UNITS [of PLAYER]; ...", _say_losses, _read_losses)

# --- cards and their targets ---

CARD: Final = one("CARD", "card", lambda _scene: [(card.name, kind) for kind, card in enumerate(CARDS)])
_TARGETS: Final[ByAct[ThingKind | None]] = ByAct(
    merchant=None,
    assassin=None,
    loot=None,
    emergency_tax=None,
    bread_and_circuses=None,
    hail_caesar=None,
    new_legions=None,
    influence_in_rome=None,
    senator=None,
    troops=None,
    pirates=None,
    fleet=GALLEY,
    city=PROVINCE,
    barbarians=None,
    politician=None,
    bribe=PLAYER,
    revolt=None,
    army=None,
    navy=None,
    wind=None,
)
"""Kind of the target of a taken card, by its effect; None without a target."""


def _say_taking(values: Values, scene: PhraseContext) -> str:
    card, target = values
    kind = _TARGETS.of(card)
    aimed = f" for {kind.say((target,), scene)}" if kind is not None and target != NONE else ""
    return f"{CARDS[card].name}{aimed}"


def _read_taking(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    name, _gap, target = text.partition(" for ")
    card = CARD.read(name, scene, known)[0][0]
    kind = _TARGETS.of(card)
    if not target or kind is None:
        return [(card, NONE)]
    return [(card, kind.read(target, scene, known)[0][0])]


def _say_using(values: Values, scene: PhraseContext) -> str:
    card, leader, seat = values
    if leader != NONE:
        return f"{CARDS[card].name} on {leader_name(scene, leader)}"
    return f"{CARDS[card].name}{f' on senator of {player_name(seat, scene)}' if seat != NONE else ''}"


def _read_using(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    name, _gap, victim = text.partition(" on ")
    card = CARD.read(name, scene, known)[0][0]
    if not victim:
        return [(card, NONE, NONE)]
    senator, found, owner = victim.partition("senator of ")
    if found and not senator:
        return [(card, NONE, PLAYER.read(owner, scene, known)[0][0])]
    return [(card, LEADER.read(victim, scene, known)[0][0], NONE)]


TAKING: Final = ThingKind("CARD [for PROVINCE, GALLEY OR PLAYER]", _say_taking, _read_taking)
USING: Final = ThingKind("CARD [on LEADER or senator of PLAYER]", _say_using, _read_using)


def _sellers(scene: PhraseContext) -> list[tuple[str, int]]:
    return [("bank", NONE), *players(scene)]


SELLERS: Final = several(one("bank OR PLAYER", "seller", _sellers))
SENATORS: Final = counted("NUMBER I, NUMBER II, ...", "senator", VALUES, VALUES)


def _read_zone(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    """Return the zone where the galleys arrive, with the default if none is given."""
    return ZONE.read(text, scene, known) if text else [(known["to"] if known["enemy"] != NONE else NONE,)]


FIGHT_ZONE: Final = ThingKind("SEA", perhaps(ZONE).say, _read_zone)
