"""Conquest of the Empire II as a `Guide` for the table."""

from collections.abc import Mapping, Sequence
from typing import Final

from client.games.battle_dice import marked_roll
from client.games.cote2 import lesson_drafts as see
from client.games.cote2.battle_state import BATTLE_ODDS, Fight, Side, after, changed, read
from client.games.cote2.card_presentation import SHOWN
from client.games.cote2.game_desk import Desk
from client.games.cote2.lesson_drafts import TableGlance
from client.games.cote2.player_text import round_words
from client.games.cote2.position_display import LOOK
from client.games.cote2.rules_text import PAGES
from client.games.cote2.tasks.auction_task import Auctioning
from client.games.cote2.tasks.battle_tasks import ChoosingLosses, Committing, Lending, Withdrawing, onward, slipping
from client.games.cote2.tasks.deployment_task import Deploying
from client.games.cote2.tasks.land_move_task import Marching
from client.games.cote2.tasks.senate_tasks import SenateVoting, mustering
from client.games.cote2.tasks.spending_tasks import Canvassing, Recruiting, Taxing
from client.games.cote2.tasks.turn_task import TakingTurn
from client.language import _, ngettext
from client.replay.game_replay import Concerns, GameReplay, HighlightKind, Income, Measure, concerned
from client.sound.sounds import Sound
from client.table.army_reach import NOWHERE, ArmyReach, Landing, owners
from client.table.battle_playback import BattleScene, Block, FallenDice, Lost, Note, OutcomeEvent, PlaybackStep
from client.table.guide import Guide
from client.table.hints import ADVICE, ODDS, Hint
from client.table.lesson import at_task
from client.table.moments import TitledEvent
from client.table.pieces import ARMS
from client.table.task import AnyTask
from shared.board import BOARD
from shared.ids import GALLEY, NONE, Position, Seat, Space
from shared.kernel.frames import Action, Event, Frame
from shared.mechanics.armies import army_of, take_by_kind
from shared.mechanics.marching import BEST_FIRST
from shared.odds.cote2 import rolling
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2 import ways
from shared.rulesets.cote2.data import CARDS, NAMED
from shared.rulesets.cote2.movement import room
from shared.rulesets.cote2.options import prices
from shared.rulesets.cote2.property import army_on_board, galley_supply, influence_of
from shared.rulesets.cote2.state import ALIENS, GALLEYS, LEADERS, REBELS, TableFields, leaders_at
from shared.sentences.cote2 import prompt, tell
from shared.vocabulary.actions import Retreat
from shared.vocabulary.events import BattleBegan, Conceded, DiceFell, Fell, Retreated
from shared.vocabulary.frames import Onward


def task(desk: Desk, frame: Frame) -> AnyTask | None:
    """Return the task for a frame that this seat owes, or None."""
    table = desk.table
    match frame:
        case f.Auction():
            return Auctioning(desk, frame)
        case f.Deployment():
            return Deploying(desk, frame, table)
        case f.Turn():
            return TakingTurn(desk, frame)
        case f.Wind():
            return slipping(desk, frame)
        case f.Commitment():
            return Committing(desk, frame)
        case f.Aid():
            return Lending(desk, frame)
        case f.Casualties():
            return ChoosingLosses(desk, frame)
        case Onward():
            return onward(desk, frame, table)
        case f.Withdrawal():
            return Withdrawing(desk, frame, table)
        case f.Vote():
            return SenateVoting(desk, frame)
        case f.Muster():
            return mustering(desk, frame)
        case _:
            return None


_KINDS: Final[dict[type[Event], HighlightKind]] = {
    BattleBegan: HighlightKind.BATTLE,
    e.AuctionBegan: HighlightKind.AUCTION,
    e.VoteBegan: HighlightKind.VOTE,
    e.CityTaken: HighlightKind.CAPTURE,
    e.SeasonEnded: HighlightKind.SCORE,
    e.Won: HighlightKind.END,
}


CONCERNS: Final[Concerns] = {
    e.TurnBegan: ("seat",),
    e.AuctionBegan: ("seat",),
    e.BidMade: ("seat", "a", "b"),
    e.Allied: ("seat", "a", "b"),
    BattleBegan: ("attacker", "defender"),
    DiceFell: ("seat",),
    Fell: ("seat",),
    e.Sank: ("seat",),
    Retreated: ("seat",),
    e.BattleEnded: ("winner", "loser"),
    e.CityTaken: ("seat", "loser"),
    e.Lent: ("seat", "to"),
    e.RevoltBegan: ("seat", "victims"),
    e.GeneralKilled: ("seat",),
    e.SenatorTaken: ("seat", "victim"),
    e.SenatorKilled: ("seat", "victim"),
    e.VoteBegan: ("seat",),
    e.VoteWon: ("seat",),
    e.InfluenceBought: ("seat", "sellers"),
    e.Rewarded: ("seat",),
    e.Won: ("seats",),
}
"""Events that concern a returning player, with the fields that name the seats."""


def _mark(event: Event, _before: TableFields) -> HighlightKind | None:
    return _KINDS.get(type(event))


def _army(table: TableFields, seat: Seat) -> int:
    """Return the worth of a seat's units and galleys at their prices."""
    army, galleys = army_on_board(table, seat), GALLEYS - len(galley_supply(table, seat))
    return sum(price * count for price, count in zip(prices(table), (*army, galleys), strict=False))


def _incomes(event: Event) -> list[Income]:
    """List the victory points that an event brings."""
    match event:
        case e.Scored(space=space, points=points):
            place = BOARD.names[space]
            return [Income(seat, _("Provinces"), place, n) for seat, n in enumerate(points) if n]
        case e.ChaosShown(points=points):
            return [Income(seat, _("Chaos"), _("Chaos"), n) for seat, n in enumerate(points) if n]
        case e.Rewarded(seat=seat, card=card, points=points) if points:
            return [Income(seat, _("Cards"), CARDS[card].name, points)]
        case _:
            return []


def _holder(table: TableFields, space: Space) -> Seat:
    """Return the seat with most influence in a space; NONE if there is a tie or no influence."""
    tokens = table.influence[space] if space < len(table.influence) else ()
    first = [seat for seat, count in enumerate(tokens) if count and count == max(tokens)]
    return first[0] if len(first) == 1 else NONE


FILM: Final[GameReplay[TableFields]] = GameReplay(
    heading=round_words,
    mark=_mark,
    measures=(
        Measure(_("Points"), lambda table, seat: table.points[seat]),
        Measure(_("Influence"), influence_of),
        Measure(_("Army in talents"), _army),
    ),
    earned=_("Sources of points"),
    incomes=_incomes,
    rolling=rolling,
    holder=_holder,
    counted=lambda count: ngettext("{n} season", "{n} seasons", count),
    concerns=lambda event, seat, _before: concerned(CONCERNS, event, seat),
    outcome=lambda event: isinstance(event, e.Allied | e.VoteWon | e.BattleEnded),
)


_JOINED: Final = 1.1
"""Seconds for which units that join a battle are shown."""


def title(fight: Fight) -> str:
    """Return the battle's title."""
    name = BOARD.names[fight.space]
    if fight.gathering:
        return _("{name} · the fleets gather", name=name) if fight.naval else _("{name} · the armies gather", name=name)
    if fight.naval:
        return _("{name} · round {round} of {naval_rounds}", name=name, round=fight.round, naval_rounds=fight.rounds)
    if fight.attacker.seat == REBELS:
        return _("Slave revolt in {name} · round {round}", name=name, round=fight.round)
    return _("Battle of {place} · round {round}", place=name, round=fight.round)


def blocks(beat: PlaybackStep[Fight], seat: Seat) -> list[Block]:
    """Return the units of a side by owner: its own first, then those that help."""
    found = []
    for band in beat.fight.side(seat).bands():
        helps = "" if band.owner == seat else _("auxiliaries") if band.owner == ALIENS else _("lent")
        found += [Block(band.owner, kind, count, helps=helps)
                  for kind, count in enumerate((*band.army, band.galleys)) if count]  # fmt: skip
    return found


def notes(beat: PlaybackStep[Fight], seat: Seat) -> list[Note]:
    """Return the number of a side's dice with its sources, and its open question."""
    side = beat.fight.side(seat)
    found = [Note(f"{ngettext('{n} die', '{n} dice', side.rolls)} {sources(side)}".strip())]
    if side.status and beat.roll is None and not beat.verdict:
        found.append(Note(side.status, strong=True, asked=side.asked))
    return found


def sources(side: Side) -> str:
    """Return the sources of a side's dice: ``"3 + leader + 2 training"``; empty if there are fewer than two."""
    if len(side.dice) < 2:
        return ""
    parts = [name if number == 1 and name else f"{number} {name}".strip() for name, number in side.dice]
    return f"= {' + '.join(parts)}"


def roll(event: DiceFell, fight: Fight) -> FallenDice:
    """Return the roll with its hits marked: dice that find a unit of their kind, `event.hits` of them at most."""
    side = fight.side(event.seat)
    room = {name: 0 if fight.naval else side.count(arm) for arm, name in enumerate(ARMS)} | {"galley": side.galleys}
    return marked_roll(event.faces, event.seat, event.hits, room)


def pause(event: Event) -> float:
    """Return how many seconds joining units are shown; 0 for other events."""
    return _JOINED if isinstance(event, e.Committed | e.Lent) else 0.0


def verdict(event: Event) -> OutcomeEvent | None:
    """Return what an event says of a battle's end, or None."""
    match event:
        case e.BattleEnded(winner=winner):
            return OutcomeEvent(over=True, winner=winner)
        case e.CityTaken() | e.SlippedAway() | Retreated():
            return OutcomeEvent()
        case _:
            return None


def lost(event: Event) -> Lost:
    """Return the units that an event says are lost, by owner and kind."""
    match event:
        case Fell(seat=seat, army=army):
            return {(seat, arm): count for arm, count in enumerate(army)}
        case e.Sank(seat=seat, galleys=galleys, extra=extra):
            owners = [galley // GALLEYS for galley in galleys]
            return {**{(owner, GALLEY): owners.count(owner) for owner in owners}, (ALIENS, GALLEY): extra}
        case _:
            return {}


BATTLE_SCENE: Final = BattleScene(
    verdict, read, roll, after, pause, changed, title, blocks, notes, LEADERS, BATTLE_ODDS,
    {REBELS: _("The slaves")}, lost,
)  # fmt: skip


def _leaders_go_alone(glance: TableGlance) -> bool:
    """Whether leaders are about to go somewhere without units."""
    march = see.march(glance)
    if march is None:
        return False
    party = march.party
    return party.to != NONE and bool(party.leaders) and not any(party.units)


HINTS: Final[tuple[Hint[TableFields], ...]] = (
    ODDS,
    Hint(
        "alone",
        _leaders_go_alone,
        _(
            "Leaders without units guard nothing: their tokens can be bought away, and they are beaten without a "
            "roll. Let some infantry go with them."
        ),
    ),
    Hint(
        "vote",
        at_task(SenateVoting),
        _(
            "Only the winner of a vote spends the senators shown; the others take theirs back. So show just enough "
            "to lead, and leave a vote to another player whom it helps little."
        ),
    ),
    Hint(
        "chaos",
        see.doing(Recruiting, Taxing),
        _(
            "This brings chaos. At the end of the season the player with most chaos loses 10 points, the second 5. "
            "The chaos of others is secret; a city of yours takes 3 off each season."
        ),
    ),
    Hint(
        "influence",
        see.doing(Canvassing),
        _(
            "Influence wins: the most in a province scores every season. One token more than the others is enough; the "
            "rest may serve elsewhere. Where no units guard them, the tokens of others are for sale as well."
        ),
    ),
    Hint(
        "march",
        see.doing(Marching),
        _(
            "Armies march as far as they like, until they meet the other alliance; each part may go elsewhere. To "
            "attack is another action, so keep one for it."
        ),
    ),
    Hint(
        "deployment",
        at_task(Deploying),
        _(
            "Where your units stand, others cannot buy your influence away, and where a leader stands you recruit "
            "and buy. Keep Caesar and troops where the points are."
        ),
    ),
    Hint(
        "auction",
        at_task(Auctioning),
        _(
            "Only the winner pays, and the proposed pair takes the next places in the order. The last to act in a "
            "round can answer all others: it pays to bid low at first and to keep talents for the end."
        ),
    ),
    Hint(
        "actions",
        at_task(TakingTurn),
        _(
            "Two actions a turn, eight a season: ask of each what it scores. Cards that lie before you cost no "
            "action at all, and may be used before, between or after."
        ),
    ),
    ADVICE,
)


SOUNDS: Final[Mapping[type[Event], Sound | None]] = {
    e.FirstPlayer: None,
    e.InfluenceDrawn: None,
    e.SeasonBegan: Sound.GAVEL,
    e.TokensPlaced: None,
    e.CardsOpened: Sound.CARD,
    e.AuctionBegan: Sound.GAVEL,
    e.BidMade: Sound.COIN,
    e.Passed: None,
    e.Allied: Sound.GAVEL,
    e.Deployed: Sound.MARCH,
    e.TurnBegan: None,  # `TurnAlert` announces the own turn, on every screen.
    e.CardTaken: Sound.CARD,
    e.CardUsed: Sound.CARD,
    e.CityBuilt: Sound.COIN,
    e.CityTaken: None,
    e.Rewarded: Sound.COIN,
    e.Reinforced: Sound.MARCH,
    e.Recruited: Sound.COIN,
    e.InfluenceBought: Sound.COIN,
    e.InfluenceGained: Sound.CARD,
    e.Levied: Sound.COIN,
    e.Marched: Sound.MARCH,
    e.Sailed: Sound.SAIL,
    BattleBegan: Sound.CLASH,
    e.SlippedAway: Sound.SAIL,
    e.Committed: Sound.SAIL,
    e.Lent: Sound.MARCH,
    DiceFell: Sound.DICE,
    Fell: None,
    e.Sank: None,
    Retreated: Sound.MARCH,
    e.BattleEnded: None,
    e.RevoltBegan: Sound.CLASH,
    e.RevoltEnded: None,
    e.GeneralKilled: Sound.CLASH,
    e.SenatorTaken: Sound.COIN,
    e.SenatorKilled: Sound.CLASH,
    e.VoteBegan: Sound.GAVEL,
    e.SenatorsShown: Sound.CARD,
    e.VoteWon: Sound.GAVEL,
    e.SenatorDrawn: Sound.CARD,
    e.Taxed: Sound.COIN,
    e.Scored: None,
    e.ChaosShown: Sound.CARD,
    e.SeasonEnded: Sound.GAVEL,
    Conceded: Sound.GAVEL,
    e.Won: Sound.CROWD,
}
"""Sound of every event of the game; None for silent events."""


def peril(event: Event, before: TableFields, seat: Seat) -> bool:
    """Whether an event is an attack on the Caesar of that seat. `before`: the position before the event."""
    match event:
        case BattleBegan():
            attacked = event.defender == seat
        case e.RevoltBegan():
            attacked = seat in event.victims
        case _:
            return False
    # The first of a seat's leaders is its Caesar.
    return attacked and before.leader_at[seat * LEADERS] == event.space


def stops(table: TableFields, action: Action) -> Sequence[Position]:
    """Return the positions that an action concerns, its start first; empty if it has no place on the board."""
    match action:
        case a.Move(source, armies, leaders):
            return tuple(dict.fromkeys([source, *[to for to, *_ in armies], *[to for _, to in leaders]]))
        case a.Campaign(card, source):
            return source, *NAMED[card]
        case a.Sail(to, galleys, zone):
            path = (*[table.galley_at[galley] for galley in galleys[:1]], to, zone)
            return tuple(dict.fromkeys([stop for stop in path if stop != NONE]))
        case a.Recruit(armies, fleets):
            return tuple(dict.fromkeys([space for space, *_ in (*armies, *fleets)]))
        case a.Deploy(armies, caesar, general, galley):
            stops = [*[space for space, *_ in armies], caesar, general, galley]
            return tuple(dict.fromkeys([stop for stop in stops if stop != NONE]))
        case a.Attack(space) | a.Influence(space) | a.Incite(space) | a.Assemble(space):
            return (space,)
        case Retreat(to) | a.Withdraw(to) if to != NONE:
            return (to,)
    return ()


def army_reach(table: TableFields, seat: Seat, space: Space) -> ArmyReach:
    """Return the reach of the units of a seat in a province."""
    army = army_of(table.units[space], seat)
    if not any(army):
        return NOWHERE
    return ArmyReach(army, len(leaders_at(table, seat, space)), ways.reach(table, seat, space))


def landings(table: TableFields, seat: Seat, space: Space) -> list[Landing]:
    """Return the armies that galleys of a seat can put ashore in a province (II-MOVE-04, -05)."""
    most = room(table, seat, space)
    found = []
    for source in range(BOARD.provinces):
        if not most or seat not in owners(table.units[source]) or space not in ways.landings(table, seat, source):
            continue
        army = take_by_kind(army_of(table.units[source], seat), most, BEST_FIRST)
        found.append(Landing(source, army, len(leaders_at(table, seat, source))))
    return found


_CARDS: Final = 4
"""Largest number of pictures of new cards."""


def moment(event: Event, _before: TableFields | None) -> TitledEvent | None:
    """Return the moment of an event, or None."""
    match event:
        case e.Allied(seat=seat):
            return TitledEvent(_("The auction is over"), (f"marker_{seat}",), holds=True)
        case e.CardsOpened(cards=cards):
            pictures = dict.fromkeys(SHOWN.of(card).picture(card) for card in sorted(cards))
            return TitledEvent(_("New cards"), tuple(f"card:{name}" for name in pictures)[:_CARDS], holds=True)
        case e.ChaosShown(points=points):
            return TitledEvent(_("Chaos is counted"), _chaos_marks(points), holds=True)
        case e.VoteBegan(seat=seat):
            return TitledEvent(_("The senate votes"), ("card:kind_senator", f"marker_{seat}"))
        case e.VoteWon(seat=seat):
            picture = f"marker_{seat}" if seat >= 0 else "card:kind_senator"
            return TitledEvent(_("The senate has decided"), (picture,), holds=True)
        case e.GeneralKilled(seat=seat):
            return TitledEvent(_("An assassination"), ("card:assassin", f"general_{seat}"), holds=True)
        case e.SenatorKilled(seat=seat):
            return TitledEvent(_("An assassination"), ("card:assassin", f"marker_{seat}"), holds=True)
        case e.RevoltBegan(seat=seat):
            return TitledEvent(_("The slaves revolt"), ("card:revolt", f"marker_{seat}"), holds=True)
        case e.CityTaken(seat=seat):
            return TitledEvent(_("A city falls"), ("city", f"marker_{seat}"))
        case _:
            return None


def _chaos_marks(points: Sequence[int]) -> tuple[str, ...]:
    """Return the marks of the seats that lose the most points to chaos."""
    worst = max(points, default=0)
    return tuple(f"marker_{seat}" for seat, lost in enumerate(points) if lost == worst > 0)[:_CARDS]


def _living(table: TableFields) -> list[Seat]:
    """Return all seats: no player is ever out."""
    return list(range(table.seats))


COTE2: Final[Guide[TableFields]] = Guide(
    name="Conquest II",
    look=LOOK,
    living=_living,
    prompt=prompt,
    task=task,
    tell=tell,
    battle_scene=BATTLE_SCENE,
    aside=None,
    pages=PAGES,
    stops=stops,
    sounds=SOUNDS,
    peril=peril,
    film=FILM,
    drafts=see.drafted,
    hints=HINTS,
    moment=moment,
    reach=army_reach,
    landings=landings,
    marches=2,
)
