"""Commands of Conquest of the Empire II."""

from collections.abc import Sequence
from typing import Final

from shared.board import BOARD
from shared.ids import NONE, UNIT_NAMES, Leader, Seat, Space
from shared.language.sentence import _
from shared.mechanics.armies import army_of, words
from shared.phrases.grammar import Grammar, Known, Phrase, PhraseContext, PhrasePart, ThingKind, Values
from shared.phrases.kinds import (
    ARMS,
    NOTHING,
    NUMBER,
    PERHAPS_PLAYER,
    PLAYER,
    PROVINCE,
    SPACE,
    TALENTS,
    ZONE,
    apart,
    counted,
    one,
    perhaps,
    player_name,
    players,
    several,
    units,
)
from shared.phrases.name_lookup import Misread, find, folded
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.data import CARDS, ByAct
from shared.rulesets.cote2.state import ALIENS, GALLEYS, LEADERS, OFF, leaders_at
from shared.sentences.cote2 import VALUES
from shared.vocabulary.actions import Concede, EndTurn, Retreat, Stand

# --- pieces by name ---


def leader_name(scene: PhraseContext, leader: Leader) -> str:
    """``"Caesar"``, ``"general 2"``; another player's ``"general 2 of Livia"``."""
    seat, number = divmod(leader, LEADERS)
    return f"{f'general {number}' if number else 'Caesar'}{_of(scene, seat)}"


def galley_name(scene: PhraseContext, galley: int) -> str:
    """``"galley 3"``; another player's ``"galley 3 of Livia"``."""
    seat, number = divmod(galley, GALLEYS)
    return f"galley {number + 1}{_of(scene, seat)}"


def _of(scene: PhraseContext, seat: Seat) -> str:
    return "" if seat == scene.seat else f" of {player_name(seat, scene)}"


def _all_leaders(scene: PhraseContext) -> list[tuple[str, int]]:
    return [(leader_name(scene, x), x) for x, at in enumerate(scene.table.leader_at) if at != OFF]


def _all_galleys(scene: PhraseContext) -> list[tuple[str, int]]:
    return [(galley_name(scene, g), g) for g, at in enumerate(scene.table.galley_at) if at != OFF]


_LEADER: Final = one("LEADER", _("leader on the board"), _all_leaders)
_LEADERS: Final = several(_LEADER)
_GALLEY: Final = one("GALLEY", _("galley on the board"), _all_galleys)
_GALLEYS: Final = several(_GALLEY)
_UNITS: Final = units()


def _or_nothing(kind: ThingKind) -> ThingKind:
    """Return the kind with an empty list written as "nothing", for commands that have no other part."""
    return ThingKind(f"{kind.name}, or nothing", lambda values, scene: kind.say(values, scene) or "nothing", kind.read)


# --- groups: units with a place, or with an owner ---


def _pieces(said: str) -> list[str]:
    return [part.strip() for part in said.split(";") if part.strip()]


def _placed(part: str, word: str) -> tuple[str, str]:
    """Split a part at the last such word into units and place."""
    what, found, where = part.rpartition(f" {word} ")
    if not found:
        raise Misread(_("Say it so: {usage}", usage=f"3 infantry {word} Italia; 1 cavalry {word} Asia"))
    return what, where


def _say_armies(values: Values, scene: PhraseContext) -> str:
    return "; ".join(f"{words(army)} in {BOARD.names[space]}" for space, *army in values[0])


def _read_armies(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    groups = [_placed(part, "in") for part in _pieces(said)]
    return [(tuple([(PROVINCE.read(where, scene, known)[0][0], *_UNITS.read(what, scene, known)[0])
                    for what, where in groups]),)]  # fmt: skip


_ARMIES: Final = ThingKind("UNITS in PROVINCE; ...", _say_armies, _read_armies)

_LEVY: Final = counted("", "piece", (*ARMS, "generals", "galleys"), (*UNIT_NAMES[:3], "general", "galley"))


def _say_recruits(values: Values, scene: PhraseContext) -> str:
    armies, fleets = values
    groups = [(space, *counts, 0) for space, *counts in armies] + [(zone, 0, 0, 0, 0, n) for zone, n in fleets]
    return "; ".join(f"{_LEVY.say(tuple(counts), scene)} in {BOARD.names[space]}" for space, *counts in groups)


def _read_recruits(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    armies, fleets = [], []
    for what, where in (_placed(part, "in") for part in _pieces(said)):
        *land, galleys = _LEVY.read(what, scene, known)[0]
        space = SPACE.read(where, scene, known)[0][0]
        armies += [(space, *land)] if any(land) else []
        fleets += [(space, galleys)] if galleys else []
    return [(tuple(armies), tuple(fleets))]


_RECRUITS: Final = ThingKind("UNITS, GENERALS in PROVINCE; GALLEYS in SEA; ...", _say_recruits, _read_recruits)


def _say_moves(values: Values, scene: PhraseContext) -> str:
    armies, leaders = values
    targets = dict.fromkeys([space for space, *_army in armies] + [space for _leader, space in leaders])
    return "; ".join(f"{_column(armies, leaders, space, scene)} to {BOARD.names[space]}" for space in targets)


def _column(armies: Sequence[Values], leaders: Sequence[Values], to: Space, scene: PhraseContext) -> str:
    """Return the command's text for all pieces that go to one province."""
    going = [leader_name(scene, leader) for leader, space in leaders if space == to]
    return ", ".join([words(army) for space, *army in armies if space == to] + going)


def _read_moves(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    armies, leaders = [], []
    for what, where in (_placed(part, "to") for part in _pieces(said)):
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
    return found, _UNITS.read(", ".join(army), scene, known)[0]


_MOVES: Final = ThingKind("UNITS, LEADERS to PROVINCE; ...", _say_moves, _read_moves)

_AUXILIARIES: Final = "auxiliaries"


def _owners(scene: PhraseContext) -> list[tuple[str, int]]:
    return [*players(scene), (_AUXILIARIES, ALIENS)]


_OWNER: Final = one("PLAYER", "player", _owners)


def _say_losses(values: Values, scene: PhraseContext) -> str:
    groups = [(words(army), owner) for owner, *army in values[0]]
    said = [f"{army}{'' if owner == scene.seat else f' of {_OWNER.say((owner,), scene)}'}" for army, owner in groups]
    return "; ".join(said) or "no units"


def _read_losses(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    if folded(said) in NOTHING:
        return [((),)]
    groups = []
    for part in _pieces(said):
        what, of, owner = part.partition(" of ")
        seat = _OWNER.read(owner, scene, known)[0][0] if of else scene.seat
        groups.append((seat, *_UNITS.read(what, scene, known)[0]))
    return [(tuple(groups),)]


_LOSSES: Final = ThingKind("UNITS [of PLAYER]; ...", _say_losses, _read_losses)

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
    fleet=_GALLEY,
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


def _read_taking(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    name, _gap, target = said.partition(" for ")
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


def _read_using(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    name, _gap, victim = said.partition(" on ")
    card = CARD.read(name, scene, known)[0][0]
    if not victim:
        return [(card, NONE, NONE)]
    senator, found, owner = victim.partition("senator of ")
    if found and not senator:
        return [(card, NONE, PLAYER.read(owner, scene, known)[0][0])]
    return [(card, _LEADER.read(victim, scene, known)[0][0], NONE)]


_TAKING: Final = ThingKind("CARD [for PROVINCE, GALLEY OR PLAYER]", _say_taking, _read_taking)
_USING: Final = ThingKind("CARD [on LEADER or senator of PLAYER]", _say_using, _read_using)


def _sellers(scene: PhraseContext) -> list[tuple[str, int]]:
    return [("bank", NONE), *players(scene)]


_SELLERS: Final = several(one("bank OR PLAYER", "seller", _sellers))
_SENATORS: Final = counted("NUMBER I, NUMBER II, ...", "senator", VALUES, VALUES)


def _read_zone(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    """Return the zone where the galleys arrive, with the default if none is given."""
    return ZONE.read(said, scene, known) if said else [(known["to"] if known["enemy"] != NONE else NONE,)]


_AT: Final = ThingKind("SEA", perhaps(ZONE).say, _read_zone)


def _unsaid(kind: ThingKind) -> ThingKind:
    """Return the kind with an empty list that needs no words."""
    return ThingKind(kind.name, kind.say, lambda said, scene, known: kind.read(said, scene, known) if said else [((),)])


GRAMMAR: Final = Grammar((
    Phrase("bid", a.Bid, _("Talents for an alliance, and whom you put into box A and box B."), (
        PhrasePart("", ("talents",), NUMBER),
        PhrasePart("a", ("a",), PERHAPS_PLAYER, needed=False),
        PhrasePart("b", ("b",), PERHAPS_PLAYER, needed=False),
    )),
    Phrase("pass", a.Pass, _("Pass: a bid, an action, a vote.")),
    Phrase("deploy", a.Deploy, _("Where your first units stand."), (
        PhrasePart("", ("armies",), _ARMIES),
        PhrasePart("caesar", ("caesar",), PROVINCE),
        PhrasePart("general", ("general",), PROVINCE),
        PhrasePart("galley", ("galley",), perhaps(ZONE), needed=False),
    )),
    Phrase("take", a.Obtain, _("Take an open card."), (PhrasePart("", ("card", "target"), _TAKING),)),
    Phrase("campaign", a.Campaign, _("Take a Barbarians card and march four units there."), (
        PhrasePart("", ("card",), CARD),
        PhrasePart("from", ("source",), PROVINCE),
        PhrasePart("with", ARMS, _UNITS),
        PhrasePart("under", ("leaders",), _unsaid(_LEADERS), needed=False),
    )),
    Phrase("incite", a.Incite, _("Take the Slave Revolt: where, and against whom."), (
        PhrasePart("in", ("space",), PROVINCE),
        PhrasePart("against", ("victims",), _unsaid(several(PLAYER)), needed=False),
    )),
    Phrase("recruit", a.Recruit, _("Units and generals in provinces, galleys in sea zones."),
           (PhrasePart("", ("armies", "fleets"), _RECRUITS),)),
    Phrase("buy influence", a.Influence, _("One or two tokens of a province, each from the bank or a player."),
           (PhrasePart("in", ("space",), PROVINCE), PhrasePart("from", ("sellers",), _SELLERS))),
    Phrase("levy", a.Levy, _("A special tax; it brings chaos."), (PhrasePart("", ("talents",), NUMBER),)),
    Phrase("move", a.Move, _("From one province, each to its own target; “all” are all that stand there."), (
        PhrasePart("", ("armies", "leaders"), _MOVES, late=True),
        PhrasePart("from", ("source",), PROVINCE),
    )),
    Phrase("attack", a.Attack, _("A battle on land."),
           (PhrasePart("", ("enemy",), PLAYER), PhrasePart("in", ("space",), PROVINCE))),
    Phrase("engage", a.Sail, _("A battle at sea where galleys of yours lie already."),
           (PhrasePart("", ("enemy",), PLAYER), PhrasePart("in", ("zone",), ZONE)), {"to": NONE, "galleys": ()}),
    Phrase("sail", a.Sail, _("Galleys to one sea zone, and a battle there if you like."), (
        PhrasePart("", ("galleys",), _GALLEYS),
        PhrasePart("to", ("to",), ZONE),
        PhrasePart("attacking", ("enemy",), PERHAPS_PLAYER, needed=False),
        PhrasePart("in", ("zone",), _AT, needed=False, late=True),
    )),
    Phrase("use", a.Use, _("Use a card that lies before you."), (PhrasePart("", ("card", "leader", "seat"), _USING),)),
    Phrase("end turn", EndTurn, _("Your turn is over.")),
    Phrase("slip away", a.Slip, _("Favorable Wind takes your galleys out of the battle."), fixed={"away": True}),
    Phrase("accept battle", a.Slip, _("Your galleys stay and fight."), fixed={"away": False}),
    Phrase("commit", a.Commit, _("Galleys beside the province that join your battle."),
           (PhrasePart("", ("galleys",), _or_nothing(_GALLEYS)),)),
    Phrase("lend", a.Lend, _("What you lend your ally for the battle, or nothing."),
           (PhrasePart("", ARMS, _UNITS), PhrasePart("with", ("galleys",), _unsaid(_GALLEYS), needed=False))),
    Phrase("lose", a.Lose, _("Which units fall on your side, galleys too, and those of a diplomacy card."), (
        PhrasePart("", ("armies",), _LOSSES),
        PhrasePart("with", ("galleys",), _unsaid(_GALLEYS), needed=False),
        PhrasePart("auxiliary", ("extra",), TALENTS, needed=False),
    )),
    Phrase("stand", Stand, _("Fight another round.")),
    Phrase("retreat", Retreat, _("Leave the battle with all units."), (PhrasePart("to", ("to",), PROVINCE),)),
    Phrase("withdraw", a.Withdraw, _("Where your leaders without units go."),
           (PhrasePart("to", ("to",), PROVINCE),)),
    Phrase("show", a.Show, _("Further senators, by value."),
           (PhrasePart("", ("one", "two", "three", "four"), _SENATORS),)),
    Phrase("assemble", a.Assemble, _("Where your new legions stand."), (PhrasePart("in", ("space",), PROVINCE),)),
    Phrase("fight on", Concede, _("Take back that you conceded."), fixed={"to": NONE}),
    Phrase("concede", Concede, _("Agree that another player has won."), (PhrasePart("to", ("to",), PERHAPS_PLAYER),)),
))  # fmt: skip
