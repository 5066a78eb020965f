"""Kinds of things in the commands of all games: places, players, numbers, units, leaders, galleys. Pure functions."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from shared.board import BOARD
from shared.ids import NONE, UNIT_NAMES
from shared.language.sentence import Value, _
from shared.phrases.grammar import Known, PhraseContext, ThingKind, Values
from shared.phrases.name_lookup import Misread, find, folded

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


def apart(said: str) -> list[str]:
    """Return the members of a list: ``"a, b and c"``."""
    return [part for part in _APART.split(said.strip()) if part]


# --- one thing, and several ---


def one(name: str, what: Value, named: Named) -> ThingKind:
    """Return the kind for one thing by its name."""

    def say(values: Values, scene: PhraseContext) -> str:
        return next((words for words, value in named(scene) if value == values[0]), str(values[0]))

    def read(said: str, scene: PhraseContext, _known: Known) -> Sequence[Values]:
        return [(find(said, named(scene), what),)]

    return ThingKind(name, say, read)


def perhaps(kind: ThingKind) -> ThingKind:
    """Return the kind for one thing or none, which is NONE."""

    def say(values: Values, scene: PhraseContext) -> str:
        return "" if values[0] == NONE else kind.say(values, scene)

    def read(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
        return kind.read(said, scene, known) if said else [(NONE,)]

    return ThingKind(kind.name, say, read)


def several(kind: ThingKind) -> ThingKind:
    """Return the kind for a list of such things, perhaps an empty one."""

    def say(values: Values, scene: PhraseContext) -> str:
        return ", ".join(kind.say((value,), scene) for value in values[0])

    def read(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
        if folded(said) in NOTHING:
            return [((),)]
        return [(tuple([kind.read(part, scene, known)[0][0] for part in apart(said)]),)]

    return ThingKind(f"{kind.name}, ...", say, read)


# --- places and players ---

_PROVINCES: Final = tuple([(BOARD.names[space], space) for space in range(BOARD.provinces)])
_ZONES: Final = tuple([(BOARD.names[space], space) for space in range(BOARD.provinces, BOARD.spaces)])


def _berth(position: int) -> str:
    coast = BOARD.coast_names[position]
    return f"{BOARD.names[BOARD.ashore[position]]}{f' {coast} coast' if coast else ''}"


_BERTHS: Final = tuple([(_berth(position), position) for position in range(BOARD.positions)])

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


def _read_number(said: str, _scene: PhraseContext, _known: Known) -> Sequence[Values]:
    if not said:
        return [(0,)]
    found = re.fullmatch(r"(\d+)(\s+talents?)?", folded(said))
    if found is None:
        raise Misread(_("“{said}” is no number.", said=said))
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

    def read(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
        if not said or folded(said) in NOTHING:
            return [(0,) * len(kinds)]
        if folded(said) == ALL:
            return [tuple(whole(scene, known))]
        counts = [0] * len(kinds)
        for number, word in pairs(said):
            kind = find(word, named, what)
            counts[kind] += whole(scene, known)[kind] if number == ALL else int(number)
        return [tuple(counts)]

    return ThingKind(name, say, read)


def pairs(said: str) -> Iterable[tuple[str, str]]:
    """Yield numbers with the words they count; raise Misread if anything is left over."""
    clean = folded(said.replace(" and ", ", "))
    found = _COUNTED.findall(clean)
    if not found or _COUNTED.sub("", clean).strip():
        raise Misread(_("“{said}” cannot be counted: say 3 infantry, 1 cavalry.", said=said))
    return [("0" if number == "no" else number, word.strip()) for number, word in found]


def units(whole: Amount = no_amount) -> ThingKind:
    """Return the kind for land units: three fields."""
    kind = counted("UNITS", _("kind of unit"), ARMS, UNIT_NAMES, whole)

    def say(values: Values, scene: PhraseContext) -> str:
        return kind.say(values, scene) if any(values) else "no units"

    return ThingKind(kind.name, say, kind.read)
