"""Conquest of the Empire II in words: its commands, and the pages on its position."""

from typing import Final

from client.games.cote2 import battle_state
from client.games.cote2.battle_state import BATTLE_ODDS
from client.games.cote2.player_text import SIDES, person_words, phase_words, round_words, standing
from client.games.cote2.rules_text import PAGES
from client.games.cote2.space_tooltip import describe
from client.language import Who, _, ngettext, say, saying
from client.table.words import and_words, army_words, force_words, galleys_words, talents_words
from client.text_client.game_text import GameText, TextPage, battle_lines
from shared.actions.cote2.typed import CARD
from shared.actions.grammar import PhraseContext
from shared.actions.typed import galley_name, leader_name
from shared.board import BOARD
from shared.ids import NONE, UNIT_NAMES, Seat, Space
from shared.mechanics.armies import army_of
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.data import CARDS, KEYS
from shared.rulesets.cote2.options import influence_price, prices
from shared.rulesets.cote2.state import LEADERS, TableFields, galleys_at, leaders_at
from shared.rulesets.cote2.ways import neighbours
from shared.sentences import cote2 as sentences
from shared.sentences.cote2 import VALUES, called

# --- pages ---


_senators_words = saying(sentences.senators_words)


def _heading(table: TableFields) -> str:
    phases, now = phase_words(table)
    season = round_words(table).replace(" · ", ", ")
    return f"{season}, {phases[now]}" if now >= 0 else season


def _person(table: TableFields, seat: Seat, who: Who) -> str:
    """Return a player's status in full."""
    points = ngettext("{n} victory point", "{n} victory points", table.points[seat])
    held = ", ".join((points, talents_words(table.talents[seat]), *standing(table, seat)))
    return f"{person_words(table, seat, who)} {held[:1].upper()}{held[1:]}."


def pieces(scene: PhraseContext, seat: Seat) -> list[str]:
    """Return all pieces of a player on the board, space by space."""
    lines = [line for space in range(BOARD.spaces) if (line := _place(scene, seat, space))]
    return lines or [_("No pieces on the board.")]


def _place(scene: PhraseContext, seat: Seat, space: Space) -> str:
    table = scene.table
    if space >= BOARD.provinces:
        here = [galley_name(scene, galley) for galley in galleys_at(table, seat, space)]
    else:
        army = army_of(table.units[space], seat)
        here = [leader_name(scene, leader) for leader in leaders_at(table, seat, space)]
        here += [army_words(army)] if any(army) else []
        here += [_("a city")] if table.built[space] and table.owner[space] == seat else []
    return f"{BOARD.names[space]}: {', '.join(here)}." if here else ""


def borders(table: TableFields, space: Space) -> list[str]:
    """Return the neighbours of a space."""
    if space >= BOARD.provinces:
        shores = [BOARD.names[at] for at in BOARD.neighbours[space] if at < BOARD.provinces]
        return [_("Provinces beside it: {places}.", places=and_words(shores))]
    seas = [BOARD.names[at] for at in BOARD.neighbours[space] if at >= BOARD.provinces]
    land = and_words([BOARD.names[to] for to in neighbours(table, space)]) or _("nothing")
    by_sea = [_("By sea: {places}.", places=and_words(seas))] if seas else []
    return [_("Next to it by land or strait: {places}.", places=land), *by_sea]


def _cards(scene: PhraseContext, said: str) -> list[str]:
    """Return the text of one card, or the offered and own cards."""
    if said:
        card = CARDS[CARD.read(said, scene, {})[0][0]]
        return [f"{card.name}: {talents_words(card.cost)}. {_(card.text)}"]
    table = scene.table
    row = [(CARDS[kind], number) for kind, number in enumerate(table.row) if number]
    lines = [
        _("On offer: {card}, {price}{times}.", card=card.name, price=talents_words(card.cost), times=_times(number))
        for card, number in row
    ]
    before = []
    for seat in range(table.seats):
        used = list(table.used[seat])
        names = [f"{CARDS[card].name}{_(' (used)') if card in used else ''}" for card in table.cards[seat]]
        before += [f"{scene.who(seat)}: {and_words(names)}."] if names else []
    return [*(lines or [_("No cards are on offer.")]), *before, _("“cards NAME” reads a card.")]


def _times(number: int) -> str:
    return _(", {n} of them", n=number) if number > 1 else ""


def _senate(scene: PhraseContext, _said: str) -> list[str]:
    """Return the reader's senators by value, the number of the others', and the vote in progress."""
    lines = [_hand(scene, seat) for seat in range(scene.table.seats)]
    vote = scene.table.frames[-1] if scene.table.frames else None
    if isinstance(vote, f.Vote):
        shown = [(scene.who(seat), by_value) for seat, by_value in enumerate(vote.shown) if any(by_value)]
        lines += [_("Shown: {who} – {senators}.", who=who, senators=_senators_words(each)) for who, each in shown]
    return lines


def _hand(scene: PhraseContext, seat: Seat) -> str:
    hand = scene.table.senators[seat]
    if len(hand) < len(VALUES) or not any(hand):
        return f"{scene.who(seat)}: {ngettext('{n} senator', '{n} senators', sum(hand))}."
    return f"{scene.who(seat)}: {_senators_words(hand)}."


def _auction(scene: PhraseContext, _said: str) -> list[str]:
    """Return the present bid, and the alliances so far."""
    table = scene.table
    auction = table.frames[-1] if table.frames else None
    lines = []
    if isinstance(auction, f.Auction) and auction.bidder != NONE:
        proposed = zip(SIDES, (auction.a, auction.b), strict=True)
        boxes = [_("{who} in {box}", who=scene.who(seat), box=box) for box, seat in proposed if seat != NONE]
        bidder, sum_ = scene.who(auction.bidder), talents_words(auction.talents)
        lines.append(f"{bidder}: {sum_} – {and_words(boxes)}.")
    for number, side in enumerate(SIDES):
        allies = [scene.who(seat) for seat in table.order if table.side[seat] == number]
        lines.append(_("Alliance {side}: {allies}.", side=side, allies=and_words(allies) or _("nobody yet")))
    return lines


def _influence(scene: PhraseContext, _said: str) -> list[str]:
    """Return the influence in each key province."""
    return [". ".join(describe(scene.table, space, scene.who).splitlines()[:3]) + "." for space in KEYS]


def _battle(scene: PhraseContext, _said: str) -> list[str]:
    fight = battle_state.read(scene.table)
    return battle_lines(fight, scene, lambda side: _side(side, scene), lambda seat: say(called(seat), scene.who))


def _side(side: battle_state.Side, scene: PhraseContext) -> str:
    bands = [_band(band, scene) for band in side.bands()]
    led = force_words(side.leaders, (0, 0, 0), LEADERS) if side.leaders else ""
    return ", ".join(filter(None, (*bands, led, ngettext("{n} die", "{n} dice", side.rolls), side.status)))


def _band(band: battle_state.Band, scene: PhraseContext) -> str:
    ships = galleys_words(band.galleys) if band.galleys else ""
    units = army_words(band.army) if any(band.army) else ""
    force = and_words([part for part in (units, ships) if part]) or _("no units")
    return f"{force} ({say(called(band.owner), scene.who)})"


def _prices(scene: PhraseContext, _said: str) -> list[str]:
    goods = (*UNIT_NAMES, "general")
    wares = zip(goods, prices(scene.table), strict=True)
    lines = [_("{ware}: {price}.", ware=name.capitalize(), price=talents_words(cost)) for name, cost in wares]
    return [*lines, _("An influence token: {price}.", price=talents_words(influence_price(scene.table)))]


COTE2: Final[GameText[TableFields]] = GameText(
    tell=sentences.tell,
    prompt=sentences.prompt,
    living=lambda table: range(table.seats),
    heading=_heading,
    person=_person,
    describe=describe,
    borders=borders,
    pieces=pieces,
    sheets={
        "cards": TextPage(_("the cards on offer and before the players; with a name, one card"), _cards),
        "senate": TextPage(_("senators, and the current vote"), _senate),
        "alliances": TextPage(_("the auction, and who is allied"), _auction),
        "influence": TextPage(_("the key provinces, and whose influence is where"), _influence),
        "battle": TextPage(_("the battle that is going on"), _battle),
        "prices": TextPage(_("what recruits and influence cost"), _prices),
    },
    battle_odds=BATTLE_ODDS,
    rules=PAGES,
)
