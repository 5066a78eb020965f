"""Kinds of things in the typed commands of all games: places, players, numbers, units, leaders, galleys."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from shared.actions.grammar import Known, PhraseContext, ThingKind, Values
from shared.actions.name_lookup import Misread, find, folded
from shared.board import BOARD
from shared.ids import GALLEY as GALLEY_KIND
from shared.ids import NONE, UNIT_NAMES, Leader, Seat
from shared.language.sentence import Value, _
from shared.mechanics.armies import words
from shared.mechanics.pieces import OFF

Named: TypeAlias = Callable[[PhraseContext], Sequence[tuple[str, int]]]
"""Function that names the things of a kind."""
Amount: TypeAlias = Callable[[PhraseContext, Known], Sequence[int]]
"""Function that counts the available units of each kind, for the word "all"."""

ARMS: Final = ("infantry", "cavalry", "catapults")
ALL: Final = "all"
NOTHING: Final = ("nothing", "none", "no units", "nobody")
_APART: Final = re.compile(r"\s*,\s*|\s+and\s+")
_COUNTED: Final = re.compile(r"(\d+|all|no) (\w+)")
KEYS: Final = frozenset((
    "a", "aboard", "against", "and", "at", "attacking", "auxiliaries", "auxiliary", "b", "bank", "caesar", "carrying",
    "fetch", "for", "from", "galley", "general", "give", "in", "leave", "nobody", "of", "on", "pay", "player",
    "senator", "stopping", "take", "tired", "to", "under", "want", "with",
))  # fmt: skip
"""Words with which parts of commands begin: a player with such a name is called by number."""
_SIGNS: Final = frozenset(',;:()[]“”"')
"""Separators in commands, which a player's name must not contain either."""


def apart(text: str) -> list[str]:
    """Return the members of a list: ``"a, b and c"``."""
    return [part for part in _APART.split(text.strip()) if part]


# --- one thing, and several ---


def one(name: str, what: Value, named: Named) -> ThingKind:
    """Return the kind for one thing by its name."""

    def say(values: Values, scene: PhraseContext) -> str:
        return next((words for words, value in named(scene) if value == values[0]), str(values[0]))

    def read(text: str, scene: PhraseContext, _known: Known) -> Sequence[Values]:
        return [(find(text, named(scene), what),)]

    return ThingKind(name, say, read)


def perhaps(kind: ThingKind) -> ThingKind:
    """Return the kind for one thing or none, which is NONE."""

    def say(values: Values, scene: PhraseContext) -> str:
        return "" if values[0] == NONE else kind.say(values, scene)

    def read(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
        return kind.read(text, scene, known) if text else [(NONE,)]

    return ThingKind(kind.name, say, read)


def several(kind: ThingKind) -> ThingKind:
    """Return the kind for a list of such things, perhaps an empty one."""

    def say(values: Values, scene: PhraseContext) -> str:
        return ", ".join(kind.say((value,), scene) for value in values[0])

    def read(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
        if folded(text) in NOTHING:
            return [((),)]
        return [(tuple([kind.read(part, scene, known)[0][0] for part in apart(text)]),)]

    return ThingKind(f"{kind.name}, ...", say, read)


# --- places and players ---

_PROVINCES: Final = tuple([(BOARD.names[space], space) for space in range(BOARD.provinces)])
_ZONES: Final = tuple([(BOARD.names[space], space) for space in range(BOARD.provinces, BOARD.spaces)])


def _coast_words(position: int) -> str:
    coast = BOARD.coast_names[position]
    return f"{BOARD.names[BOARD.ashore[position]]}{f' {coast} coast' if coast else ''}"


_BERTHS: Final = tuple([(_coast_words(position), position) for position in range(BOARD.positions)])

PROVINCE: Final = one("PROVINCE", _("province"), lambda _scene: _PROVINCES)
ZONE: Final = one("SEA", _("sea zone"), lambda _scene: _ZONES)
SPACE: Final = one("PLACE", _("province or sea zone"), lambda _scene: (*_PROVINCES, *_ZONES))
BERTH: Final = one("COAST OR SEA", _("coast or sea zone"), lambda _scene: _BERTHS)


def players(scene: PhraseContext) -> list[tuple[str, int]]:
    """Return the players' names in commands: by name, or by number if the name could be misread."""
    names = [scene.who(seat) for seat in range(scene.table.seats)]
    plain = [(name, seat) for seat, name in enumerate(names) if _is_plain(name, names)]
    return [*plain, *((f"player {seat + 1}", seat) for seat in range(scene.table.seats))]


def _is_plain(name: str, names: Sequence[str]) -> bool:
    """Whether a name in a command means that player and nothing else."""
    clean = folded(name)
    alone = sum(folded(other) == clean for other in names) == 1
    return alone and not set(name) & _SIGNS and not KEYS & set(clean.split())


PLAYER: Final = one("PLAYER", _("player"), players)
PERHAPS_PLAYER: Final = perhaps(PLAYER)


def player_name(seat: int, scene: PhraseContext) -> str:
    """Return a player's name in commands."""
    return PLAYER.say((seat,), scene)


# --- numbers ---


def _read_number(text: str, _scene: PhraseContext, _known: Known) -> Sequence[Values]:
    if not text:
        return [(0,)]
    found = re.fullmatch(r"(\d+)(\s+talents?)?", folded(text))
    if found is None:
        raise Misread(_("“{said}” is no number.", said=text))
    return [(int(found[1]),)]


NUMBER: Final = ThingKind("NUMBER", lambda values, _scene: str(values[0]), _read_number)
TALENTS: Final = ThingKind("TALENTS", lambda values, _scene: str(values[0]) if values[0] else "", _read_number)


def no_amount(_scene: PhraseContext, _known: Known) -> Sequence[int]:
    """Raise Misread: the number meant by "all" is not defined here."""
    raise Misread(_("Say how many of each: 3 infantry, 1 cavalry."))


def counted(name: str, what: Value, kinds: Sequence[str], ones: Sequence[str], whole: Amount = no_amount) -> ThingKind:
    """Return the kind for numbers of several things, a field for each: ``"3 infantry, 1 city"``.

    `ones`: the singulars.
    """
    named = [(kind, number) for many in (kinds, ones) for number, kind in enumerate(many)]

    def say(values: Values, _scene: PhraseContext) -> str:
        return ", ".join(f"{n} {(ones if n == 1 else kinds)[k]}" for k, n in enumerate(values) if n) or "nothing"

    def read(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
        if not text or folded(text) in NOTHING:
            return [(0,) * len(kinds)]
        if folded(text) == ALL:
            return [tuple(whole(scene, known))]
        counts = [0] * len(kinds)
        for number, word in pairs(text):
            kind = find(word, named, what)
            counts[kind] += whole(scene, known)[kind] if number == ALL else int(number)
        return [tuple(counts)]

    return ThingKind(name, say, read)


def pairs(text: str) -> Iterable[tuple[str, str]]:
    """Yield numbers with the words they count; raise Misread if anything is left over."""
    clean = folded(text.replace(" and ", ", "))
    found = _COUNTED.findall(clean)
    if not found or _COUNTED.sub("", clean).strip():
        raise Misread(_("“{said}” cannot be counted: say 3 infantry, 1 cavalry.", said=text))
    return [("0" if number == "no" else number, word.strip()) for number, word in found]


def units(whole: Amount = no_amount) -> ThingKind:
    """Return the kind for land units: three fields."""
    kind = counted("UNITS", _("kind of unit"), ARMS, UNIT_NAMES, whole)

    def say(values: Values, scene: PhraseContext) -> str:
        return kind.say(values, scene) if any(values) else "no units"

    return ThingKind(kind.name, say, kind.read)


def unsaid(kind: ThingKind) -> ThingKind:
    """Return the kind with an empty list that needs no words."""
    return ThingKind(kind.name, kind.say, lambda text, scene, known: kind.read(text, scene, known) if text else [((),)])


# --- pieces by name ---


def leader_name(scene: PhraseContext, leader: Leader) -> str:
    """``"Caesar"``, ``"general 2"``; of another colour ``"general 2 of Livia"``."""
    colour, number = divmod(leader, len(scene.table.leader_at) // scene.table.seats)
    return f"{f'general {number}' if number else 'Caesar'}{_of(scene, colour)}"


def galley_name(scene: PhraseContext, galley: int) -> str:
    """``"galley 3"``; of another colour ``"galley 3 of Livia"``."""
    colour, number = divmod(galley, len(scene.table.galley_at) // scene.table.seats)
    return f"galley {number + 1}{_of(scene, colour)}"


def _of(scene: PhraseContext, colour: Seat) -> str:
    return "" if colour == scene.seat else f" of {player_name(colour, scene)}"


def _all_leaders(scene: PhraseContext) -> list[tuple[str, int]]:
    return [(leader_name(scene, leader), leader) for leader, at in enumerate(scene.table.leader_at) if at != OFF]


def _all_galleys(scene: PhraseContext) -> list[tuple[str, int]]:
    return [(galley_name(scene, galley), galley) for galley, at in enumerate(scene.table.galley_at) if at != OFF]


LEADER: Final = one("LEADER", _("leader on the board"), _all_leaders)
LEADERS: Final = several(LEADER)
PERHAPS_LEADERS: Final = unsaid(LEADERS)
GALLEY: Final = one("GALLEY", _("galley on the board"), _all_galleys)
GALLEYS: Final = several(GALLEY)

# --- units with a place, or with an owner ---


def entries(text: str) -> list[str]:
    """Return the entries of a list: ``"3 infantry in Italia; 1 cavalry in Asia"``."""
    return [part.strip() for part in text.split(";") if part.strip()]


def placed(entry: str, word: str) -> tuple[str, str]:
    """Split an entry at the last such word into units and place."""
    what, found, where = entry.rpartition(f" {word} ")
    if not found:
        raise Misread(_("Say it so: {usage}", usage=f"3 infantry {word} Italia; 1 cavalry {word} Asia"))
    return what, where


UNITS: Final = units()


def _say_stops(values: Values, scene: PhraseContext) -> str:
    return "; ".join(_say_stop(drop, scene) for drop in values[0])


def _say_stop(drop: tuple[int, int, int, int], scene: PhraseContext) -> str:
    space, *counts = drop
    left, taken = [max(0, n) for n in counts], [max(0, -n) for n in counts]
    deeds = [f"leave {words(left)}"] if any(left) else []
    deeds += [f"fetch {words(taken)}"] if any(taken) else []
    return " ".join([PROVINCE.say((space,), scene), *deeds])


def _read_stops(text: str, scene: PhraseContext, known: Known) -> list[Values]:
    return [(tuple([_read_stop(entry, scene, known) for entry in entries(text)]),)]


def _read_stop(text: str, scene: PhraseContext, known: Known) -> tuple[int, ...]:
    place, _gap, rest = text.partition(" leave ") if " leave " in text else text.partition(" fetch ")
    left, _gap, taken = rest.partition(" fetch ") if " leave " in text else ("", "", rest)
    if not rest:
        raise Misread(_("Say what to do at each stop: Asia leave 2 infantry; Galatia fetch 1 cavalry."))
    ((space,),) = PROVINCE.read(place, scene, known)
    give, take = (UNITS.read(part.strip(), scene, known)[0] for part in (left, taken))
    return space, *(n - m for n, m in zip(give, take, strict=True))


STOPS: Final = ThingKind("CITY leave UNITS; CITY fetch UNITS", _say_stops, _read_stops)

# --- a target of a shot ---

_UNIT: Final = one("UNIT", "kind of unit", lambda _scene: [(unit, kind) for kind, unit in enumerate(ARMS)])


def _say_target(values: Values, scene: PhraseContext) -> str:
    kind, galley = values
    if kind == GALLEY_KIND:
        return GALLEY.say((galley,), scene)
    return f"{UNIT_NAMES[kind]}{f' aboard {GALLEY.say((galley,), scene)}' if galley != NONE else ''}"


def _read_target(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    unit, aboard, galley = text.partition(" aboard ")
    if not aboard and text.casefold().startswith("galley"):
        return [(GALLEY_KIND, GALLEY.read(text, scene, known)[0][0])]
    return [(_UNIT.read(unit, scene, {})[0][0], perhaps(GALLEY).read(galley, scene, known)[0][0])]


TARGET: Final = ThingKind("INFANTRY, CAVALRY, CATAPULT OR GALLEY", _say_target, _read_target)
