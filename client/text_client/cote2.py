"""Conquest of the Empire II in words: its commands, and the pages on its position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.games.cote2 import battle_state
from client.games.cote2.battle_odds import RECKONING
from client.games.cote2.phase_text import phase_words, round_words
from client.games.cote2.player_text import SIDES, person_words, standing
from client.games.cote2.space_tooltip import describe
from client.language import Who, _, ngettext, say, saying
from client.table.words import and_words, army_words, force_words, galleys_words, talents_words
from client.text_client.game_text import GameText, Sheet, battle_words, side_words
from client.text_client.grammar import Grammar, Kind, Known, Part, Phrase, Scene, Values
from client.text_client.kinds import (
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
from client.text_client.name_lookup import Misread, find, folded
from shared.board import BOARD
from shared.ids import NONE, UNIT_NAMES, Leader, Seat, Space
from shared.mechanics.armies import words
from shared.mechanics.cells import army_of
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.data import CARDS, DATA, KEYS, ByAct
from shared.rulesets.cote2.economy import INFLUENCE_PRICE
from shared.rulesets.cote2.state import ALIENS, GALLEYS, LEADERS, OFF, galleys_at, leaders_at
from shared.rulesets.cote2.table import Table
from shared.rulesets.cote2.ways import neighbours
from shared.sentences import cote2 as sentences
from shared.sentences.cote2 import VALUES, called
from shared.vocabulary.actions import Concede, EndTurn, Retreat, Stand

# --- pieces by name ---


def leader_name(scene: Scene, leader: Leader) -> str:
    """``"Caesar"``, ``"general 2"``; another player's ``"general 2 of Livia"``."""
    seat, number = divmod(leader, LEADERS)
    return f"{f'general {number}' if number else 'Caesar'}{_of(scene, seat)}"


def galley_name(scene: Scene, galley: int) -> str:
    """``"galley 3"``; another player's ``"galley 3 of Livia"``."""
    seat, number = divmod(galley, GALLEYS)
    return f"galley {number + 1}{_of(scene, seat)}"


def _of(scene: Scene, seat: Seat) -> str:
    return "" if seat == scene.seat else f" of {player_name(seat, scene)}"


def _all_leaders(scene: Scene) -> list[tuple[str, int]]:
    return [(leader_name(scene, x), x) for x, at in enumerate(scene.table.leader_at) if at != OFF]


def _all_galleys(scene: Scene) -> list[tuple[str, int]]:
    return [(galley_name(scene, g), g) for g, at in enumerate(scene.table.galley_at) if at != OFF]


_LEADER: Final = one("LEADER", _("leader on the board"), _all_leaders)
_LEADERS: Final = several(_LEADER)
_GALLEY: Final = one("GALLEY", _("galley on the board"), _all_galleys)
_GALLEYS: Final = several(_GALLEY)
_UNITS: Final = units()


def _or_nothing(kind: Kind) -> Kind:
    """Return the kind with an empty list written as "nothing", for commands that have no other part."""
    return Kind(f"{kind.name}, or nothing", lambda values, scene: kind.say(values, scene) or "nothing", kind.read)


# --- groups: units with a place, or with an owner ---


def _pieces(said: str) -> list[str]:
    return [part.strip() for part in said.split(";") if part.strip()]


def _placed(part: str, word: str) -> tuple[str, str]:
    """Split a part at the last such word into units and place."""
    what, found, where = part.rpartition(f" {word} ")
    if not found:
        raise Misread(_("Say it so: {usage}", usage=f"3 infantry {word} Italia; 1 cavalry {word} Asia"))
    return what, where


def _say_armies(values: Values, scene: Scene) -> str:
    return "; ".join(f"{words(army)} in {BOARD.names[space]}" for space, *army in values[0])


def _read_armies(said: str, scene: Scene, known: Known) -> Sequence[Values]:
    groups = [_placed(part, "in") for part in _pieces(said)]
    return [(tuple([(PROVINCE.read(where, scene, known)[0][0], *_UNITS.read(what, scene, known)[0])
                    for what, where in groups]),)]  # fmt: skip


_ARMIES: Final = Kind("UNITS in PROVINCE; ...", _say_armies, _read_armies)

_LEVY: Final = counted("", "piece", (*ARMS, "generals", "galleys"), (*UNIT_NAMES[:3], "general", "galley"))


def _say_recruits(values: Values, scene: Scene) -> str:
    armies, fleets = values
    groups = [(space, *counts, 0) for space, *counts in armies] + [(zone, 0, 0, 0, 0, n) for zone, n in fleets]
    return "; ".join(f"{_LEVY.say(tuple(counts), scene)} in {BOARD.names[space]}" for space, *counts in groups)


def _read_recruits(said: str, scene: Scene, known: Known) -> Sequence[Values]:
    armies, fleets = [], []
    for what, where in (_placed(part, "in") for part in _pieces(said)):
        *land, galleys = _LEVY.read(what, scene, known)[0]
        space = SPACE.read(where, scene, known)[0][0]
        armies += [(space, *land)] if any(land) else []
        fleets += [(space, galleys)] if galleys else []
    return [(tuple(armies), tuple(fleets))]


_RECRUITS: Final = Kind("UNITS, GENERALS in PROVINCE; GALLEYS in SEA; ...", _say_recruits, _read_recruits)


def _say_moves(values: Values, scene: Scene) -> str:
    armies, leaders = values
    targets = dict.fromkeys([space for space, *_army in armies] + [space for _leader, space in leaders])
    return "; ".join(f"{_column(armies, leaders, space, scene)} to {BOARD.names[space]}" for space in targets)


def _column(armies: Sequence[Values], leaders: Sequence[Values], to: Space, scene: Scene) -> str:
    """Return the command's text for all pieces that go to one province."""
    going = [leader_name(scene, leader) for leader, space in leaders if space == to]
    return ", ".join([words(army) for space, *army in armies if space == to] + going)


def _read_moves(said: str, scene: Scene, known: Known) -> Sequence[Values]:
    armies, leaders = [], []
    for what, where in (_placed(part, "to") for part in _pieces(said)):
        to = PROVINCE.read(where, scene, known)[0][0]
        led, army = _force(what, scene, known)
        armies += [(to, *army)] if any(army) else []
        leaders += [(leader, to) for leader in led]
    return [(tuple(armies), tuple(leaders))]


def _force(what: str, scene: Scene, known: Known) -> tuple[list[Leader], Sequence[int]]:
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


_MOVES: Final = Kind("UNITS, LEADERS to PROVINCE; ...", _say_moves, _read_moves)

_AUXILIARIES: Final = "auxiliaries"


def _owners(scene: Scene) -> list[tuple[str, int]]:
    return [*players(scene), (_AUXILIARIES, ALIENS)]


_OWNER: Final = one("PLAYER", "player", _owners)


def _say_losses(values: Values, scene: Scene) -> str:
    groups = [(words(army), owner) for owner, *army in values[0]]
    said = [f"{army}{'' if owner == scene.seat else f' of {_OWNER.say((owner,), scene)}'}" for army, owner in groups]
    return "; ".join(said) or "no units"


def _read_losses(said: str, scene: Scene, known: Known) -> Sequence[Values]:
    if folded(said) in NOTHING:
        return [((),)]
    groups = []
    for part in _pieces(said):
        what, of, owner = part.partition(" of ")
        seat = _OWNER.read(owner, scene, known)[0][0] if of else scene.seat
        groups.append((seat, *_UNITS.read(what, scene, known)[0]))
    return [(tuple(groups),)]


_LOSSES: Final = Kind("UNITS [of PLAYER]; ...", _say_losses, _read_losses)

# --- cards and their targets ---

_CARD: Final = one("CARD", "card", lambda _scene: [(card.name, kind) for kind, card in enumerate(CARDS)])
_TARGETS: Final[ByAct[Kind | None]] = ByAct(
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


def _say_taking(values: Values, scene: Scene) -> str:
    card, target = values
    kind = _TARGETS.of(card)
    aimed = f" for {kind.say((target,), scene)}" if kind is not None and target != NONE else ""
    return f"{CARDS[card].name}{aimed}"


def _read_taking(said: str, scene: Scene, known: Known) -> Sequence[Values]:
    name, _gap, target = said.partition(" for ")
    card = _CARD.read(name, scene, known)[0][0]
    kind = _TARGETS.of(card)
    if not target or kind is None:
        return [(card, NONE)]
    return [(card, kind.read(target, scene, known)[0][0])]


def _say_using(values: Values, scene: Scene) -> str:
    card, leader, seat = values
    if leader != NONE:
        return f"{CARDS[card].name} on {leader_name(scene, leader)}"
    return f"{CARDS[card].name}{f' on senator of {player_name(seat, scene)}' if seat != NONE else ''}"


def _read_using(said: str, scene: Scene, known: Known) -> Sequence[Values]:
    name, _gap, victim = said.partition(" on ")
    card = _CARD.read(name, scene, known)[0][0]
    if not victim:
        return [(card, NONE, NONE)]
    senator, found, owner = victim.partition("senator of ")
    if found and not senator:
        return [(card, NONE, PLAYER.read(owner, scene, known)[0][0])]
    return [(card, _LEADER.read(victim, scene, known)[0][0], NONE)]


_TAKING: Final = Kind("CARD [for PROVINCE, GALLEY OR PLAYER]", _say_taking, _read_taking)
_USING: Final = Kind("CARD [on LEADER or senator of PLAYER]", _say_using, _read_using)


def _sellers(scene: Scene) -> list[tuple[str, int]]:
    return [("bank", NONE), *players(scene)]


_SELLERS: Final = several(one("bank OR PLAYER", "seller", _sellers))
_SENATORS: Final = counted("NUMBER I, NUMBER II, ...", "senator", VALUES, VALUES)


def _read_zone(said: str, scene: Scene, known: Known) -> Sequence[Values]:
    """Return the zone where the galleys arrive, with the default if none is given."""
    return ZONE.read(said, scene, known) if said else [(known["to"] if known["enemy"] != NONE else NONE,)]


_AT: Final = Kind("SEA", perhaps(ZONE).say, _read_zone)


def _unsaid(kind: Kind) -> Kind:
    """Return the kind with an empty list that needs no words."""
    return Kind(kind.name, kind.say, lambda said, scene, known: kind.read(said, scene, known) if said else [((),)])


GRAMMAR: Final = Grammar((
    Phrase("bid", a.Bid, _("Talents for an alliance, and whom you put into box A and box B."), (
        Part("", ("talents",), NUMBER),
        Part("a", ("a",), PERHAPS_PLAYER, needed=False),
        Part("b", ("b",), PERHAPS_PLAYER, needed=False),
    )),
    Phrase("pass", a.Pass, _("Pass: a bid, an action, a vote.")),
    Phrase("deploy", a.Deploy, _("Where your first units stand."), (
        Part("", ("armies",), _ARMIES),
        Part("caesar", ("caesar",), PROVINCE),
        Part("general", ("general",), PROVINCE),
        Part("galley", ("galley",), perhaps(ZONE), needed=False),
    )),
    Phrase("take", a.Obtain, _("Take an open card."), (Part("", ("card", "target"), _TAKING),)),
    Phrase("campaign", a.Campaign, _("Take a Barbarians card and march four units there."), (
        Part("", ("card",), _CARD),
        Part("from", ("source",), PROVINCE),
        Part("with", ARMS, _UNITS),
        Part("under", ("leaders",), _unsaid(_LEADERS), needed=False),
    )),
    Phrase("incite", a.Incite, _("Take the Slave Revolt: where, and against whom."), (
        Part("in", ("space",), PROVINCE),
        Part("against", ("victims",), _unsaid(several(PLAYER)), needed=False),
    )),
    Phrase("recruit", a.Recruit, _("Units and generals in provinces, galleys in sea zones."),
           (Part("", ("armies", "fleets"), _RECRUITS),)),
    Phrase("buy influence", a.Influence, _("One or two tokens of a province, each from the bank or a player."),
           (Part("in", ("space",), PROVINCE), Part("from", ("sellers",), _SELLERS))),
    Phrase("levy", a.Levy, _("A special tax; it brings chaos."), (Part("", ("talents",), NUMBER),)),
    Phrase("move", a.Move, _("From one province, each to its own target; “all” are all that stand there."), (
        Part("", ("armies", "leaders"), _MOVES, late=True),
        Part("from", ("source",), PROVINCE),
    )),
    Phrase("attack", a.Attack, _("A battle on land."),
           (Part("", ("enemy",), PLAYER), Part("in", ("space",), PROVINCE))),
    Phrase("engage", a.Sail, _("A battle at sea where galleys of yours lie already."),
           (Part("", ("enemy",), PLAYER), Part("in", ("zone",), ZONE)), {"to": NONE, "galleys": ()}),
    Phrase("sail", a.Sail, _("Galleys to one sea zone, and a battle there if you like."), (
        Part("", ("galleys",), _GALLEYS),
        Part("to", ("to",), ZONE),
        Part("attacking", ("enemy",), PERHAPS_PLAYER, needed=False),
        Part("in", ("zone",), _AT, needed=False, late=True),
    )),
    Phrase("use", a.Use, _("Use a card that lies before you."), (Part("", ("card", "leader", "seat"), _USING),)),
    Phrase("end turn", EndTurn, _("Your turn is over.")),
    Phrase("slip away", a.Slip, _("Favorable Wind takes your galleys out of the battle."), fixed={"away": True}),
    Phrase("accept battle", a.Slip, _("Your galleys stay and fight."), fixed={"away": False}),
    Phrase("commit", a.Commit, _("Galleys beside the province that join your battle."),
           (Part("", ("galleys",), _or_nothing(_GALLEYS)),)),
    Phrase("lend", a.Lend, _("What you lend your ally for the battle, or nothing."),
           (Part("", ARMS, _UNITS), Part("with", ("galleys",), _unsaid(_GALLEYS), needed=False))),
    Phrase("lose", a.Lose, _("Which units fall on your side, galleys too, and those of a diplomacy card."), (
        Part("", ("armies",), _LOSSES),
        Part("with", ("galleys",), _unsaid(_GALLEYS), needed=False),
        Part("auxiliary", ("extra",), TALENTS, needed=False),
    )),
    Phrase("stand", Stand, _("Fight another round.")),
    Phrase("retreat", Retreat, _("Leave the battle with all units."), (Part("to", ("to",), PROVINCE),)),
    Phrase("withdraw", a.Withdraw, _("Where your leaders without units go."),
           (Part("to", ("to",), PROVINCE),)),
    Phrase("show", a.Show, _("Further senators, by value."), (Part("", ("one", "two", "three", "four"), _SENATORS),)),
    Phrase("assemble", a.Assemble, _("Where your new legions stand."), (Part("in", ("space",), PROVINCE),)),
    Phrase("fight on", Concede, _("Take back that you conceded."), fixed={"to": NONE}),
    Phrase("concede", Concede, _("Agree that another player has won."), (Part("to", ("to",), PERHAPS_PLAYER),)),
))  # fmt: skip

# --- pages ---


_senators_words = saying(sentences.senators_words)


def _heading(table: Table) -> str:
    phases, now = phase_words(table)
    season = round_words(table).replace(" · ", ", ")
    return f"{season}, {phases[now]}" if now >= 0 else season


def _person(table: Table, seat: Seat, who: Who) -> str:
    """Return a player's status in full."""
    points = ngettext("{n} victory point", "{n} victory points", table.points[seat])
    held = ", ".join((points, talents_words(table.talents[seat]), *standing(table, seat)))
    return f"{person_words(table, seat, who)} {held[:1].upper()}{held[1:]}."


def pieces(scene: Scene, seat: Seat) -> list[str]:
    """Return all pieces of a player on the board, space by space."""
    lines = [line for space in range(BOARD.spaces) if (line := _place(scene, seat, space))]
    return lines or [_("No pieces on the board.")]


def _place(scene: Scene, seat: Seat, space: Space) -> str:
    table = scene.table
    if space >= BOARD.provinces:
        here = [galley_name(scene, galley) for galley in galleys_at(table, seat, space)]
    else:
        army = army_of(table.units[space], seat)
        here = [leader_name(scene, leader) for leader in leaders_at(table, seat, space)]
        here += [army_words(army)] if any(army) else []
        here += [_("a city")] if table.built[space] and table.owner[space] == seat else []
    return f"{BOARD.names[space]}: {', '.join(here)}." if here else ""


def borders(table: Table, space: Space) -> list[str]:
    """Return the neighbours of a space."""
    if space >= BOARD.provinces:
        shores = [BOARD.names[at] for at in BOARD.neighbours[space] if at < BOARD.provinces]
        return [_("Provinces beside it: {places}.", places=and_words(shores))]
    seas = [BOARD.names[at] for at in BOARD.neighbours[space] if at >= BOARD.provinces]
    land = and_words([BOARD.names[to] for to in neighbours(table, space)]) or _("nothing")
    by_sea = [_("By sea: {places}.", places=and_words(seas))] if seas else []
    return [_("Next to it by land or strait: {places}.", places=land), *by_sea]


def _cards(scene: Scene, said: str) -> list[str]:
    """Return the text of one card, or the offered and own cards."""
    if said:
        card = CARDS[_CARD.read(said, scene, {})[0][0]]
        return [f"{card.name}: {talents_words(card.cost)}. {_(card.text)}"]
    table = scene.table
    row = [(CARDS[kind], number) for kind, number in enumerate(table.row) if number]
    lines = [
        _("On offer: {card}, {price}{times}.", card=card.name, price=talents_words(card.cost), times=_times(number))
        for card, number in row
    ]
    return [*(lines or [_("No cards are on offer.")]), *_before_players(scene), _("“cards NAME” reads a card.")]


def _times(number: int) -> str:
    return _(", {n} of them", n=number) if number > 1 else ""


def _before_players(scene: Scene) -> Iterator[str]:
    """Yield the open cards of each player."""
    for seat in range(scene.table.seats):
        used = list(scene.table.used[seat])
        names = [f"{CARDS[card].name}{_(' (used)') if card in used else ''}" for card in scene.table.cards[seat]]
        if names:
            yield _("Before {who}: {cards}.", who=scene.who(seat), cards=and_words(names))


def _senate(scene: Scene, _said: str) -> list[str]:
    """Return the reader's senators by value, the number of the others', and the vote in progress."""
    lines = [_hand(scene, seat) for seat in range(scene.table.seats)]
    vote = scene.table.frames[-1] if scene.table.frames else None
    if isinstance(vote, f.Vote):
        shown = [(scene.who(seat), by_value) for seat, by_value in enumerate(vote.shown) if any(by_value)]
        lines += [_("{who} shows {senators}.", who=who, senators=_senators_words(by_value)) for who, by_value in shown]
    return lines


def _hand(scene: Scene, seat: Seat) -> str:
    hand = scene.table.senators[seat]
    if len(hand) < len(VALUES) or not any(hand):
        return ngettext("{who} has {n} senator.", "{who} has {n} senators.", sum(hand), who=scene.who(seat))
    return _("{who} has {senators}.", who=scene.who(seat), senators=_senators_words(hand))


def _auction(scene: Scene, _said: str) -> list[str]:
    """Return the present bid, and the alliances so far."""
    table = scene.table
    auction = table.frames[-1] if table.frames else None
    lines = []
    if isinstance(auction, f.Auction) and auction.bidder != NONE:
        proposed = zip(SIDES, (auction.a, auction.b), strict=True)
        boxes = [_("{who} in {box}", who=scene.who(seat), box=box) for box, seat in proposed if seat != NONE]
        bidder, sum_ = scene.who(auction.bidder), talents_words(auction.talents)
        lines.append(_("{who} offers {talents}: {boxes}.", who=bidder, talents=sum_, boxes=and_words(boxes)))
    for number, side in enumerate(SIDES):
        allies = [scene.who(seat) for seat in table.order if table.side[seat] == number]
        lines.append(_("Alliance {side}: {allies}.", side=side, allies=and_words(allies) or _("nobody yet")))
    return lines


def _influence(scene: Scene, _said: str) -> list[str]:
    """Return the influence in each key province."""
    return [". ".join(describe(scene.table, space, scene.who).splitlines()[:3]) + "." for space in KEYS]


def _battle(scene: Scene, _said: str) -> list[str]:
    fight = battle_state.read(scene.table)
    if fight is None:
        return [_("There is no battle now.")]
    return [
        battle_words(fight.space, fight.round),
        *(
            side_words(say(called(side.seat), scene.who), side is fight.attacker, _side(side, scene))
            for side in (fight.attacker, fight.defender)
        ),
    ]


def _side(side: battle_state.Side, scene: Scene) -> str:
    bands = [_band(band, scene) for band in side.bands()]
    led = force_words(side.leaders, (0, 0, 0), LEADERS) if side.leaders else ""
    return ", ".join(filter(None, (*bands, led, ngettext("{n} die", "{n} dice", side.rolls), side.status)))


def _band(band: battle_state.Band, scene: Scene) -> str:
    ships = galleys_words(band.galleys) if band.galleys else ""
    units = army_words(band.army) if any(band.army) else ""
    force = and_words([part for part in (units, ships) if part]) or _("no units")
    return _("{force} of {who}", force=force, who=say(called(band.owner), scene.who))


def _prices(_scene: Scene, _said: str) -> list[str]:
    goods = (*UNIT_NAMES, "general")
    wares = zip(goods, DATA.prices, strict=True)
    lines = [_("{ware}: {price}.", ware=name.capitalize(), price=talents_words(cost)) for name, cost in wares]
    return [*lines, _("An influence token: {price}.", price=talents_words(INFLUENCE_PRICE))]


COTE2: Final[GameText[Table]] = GameText(
    grammar=GRAMMAR,
    tell=sentences.tell,
    prompt=sentences.prompt,
    living=lambda table: range(table.seats),
    heading=_heading,
    person=_person,
    describe=describe,
    borders=borders,
    pieces=pieces,
    sheets={
        "cards": Sheet(_("the cards on offer and before the players; with a name, one card"), _cards),
        "senate": Sheet(_("senators, and the current vote"), _senate),
        "alliances": Sheet(_("the auction, and who is allied"), _auction),
        "influence": Sheet(_("the key provinces, and whose influence is where"), _influence),
        "battle": Sheet(_("the battle that is going on"), _battle),
        "prices": Sheet(_("what recruits and influence cost"), _prices),
    },
    battle_odds=RECKONING,
)
