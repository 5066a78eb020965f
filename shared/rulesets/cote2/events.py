"""Events of a match of the second game, for the log, sound and motion."""

from enum import IntEnum

import msgspec

from shared.ids import Army, Leader, Seat, Space
from shared.kernel.frames import Event
from shared.vocabulary.events import BattleBegan, Conceded, DiceFell, Fell, Retreated, TurnStart


class FirstPlayer(Event, frozen=True, array_like=True, gc=False, tag=32):
    """`seat` is the first player (II-D01)."""

    seat: Seat


class InfluenceDrawn(Event, frozen=True, array_like=True, gc=False, tag=33):
    """`seat` begins with influence in these key provinces."""

    seat: Seat
    spaces: tuple[Space, ...]


class SeasonBegan(Event, frozen=True, array_like=True, gc=False, tag=34):
    """A campaign season begins."""

    season: int


class TokensPlaced(Event, frozen=True, array_like=True, gc=False, tag=35):
    """Province tokens were laid out, one for each entry."""

    spaces: tuple[Space, ...]


class CardsOpened(Event, frozen=True, array_like=True, gc=False, tag=36):
    """Cards were laid open."""

    cards: tuple[int, ...]


class AuctionBegan(Event, frozen=True, array_like=True, gc=False, tag=37):
    """An alliance auction begins."""

    seat: Seat


class BidMade(Event, frozen=True, array_like=True, gc=False, tag=38):
    """`seat` bids, with `a` and `b` in the proposal boxes."""

    seat: Seat
    talents: int
    a: Seat
    b: Seat


class Passed(Event, frozen=True, array_like=True, gc=False, tag=39):
    """`seat` passes: an action, a bid, a vote."""

    seat: Seat


class Allied(Event, frozen=True, array_like=True, gc=False, tag=40):
    """`seat` won the auction and paid; `a` and `b` took their boxes."""

    seat: Seat
    talents: int
    a: Seat
    b: Seat


class Deployed(Event, frozen=True, array_like=True, gc=False, tag=41):
    """`seat` placed its starting units."""

    seat: Seat
    armies: tuple[tuple[int, int, int, int], ...]
    caesar: Space
    general: Space
    galley: Space


class TurnBegan(TurnStart, frozen=True, array_like=True, gc=False, tag=42):
    """The two actions of `seat` begin."""

    season: int
    round: int


class CardTaken(Event, frozen=True, array_like=True, gc=False, tag=43):
    """`seat` obtained a card for its price."""

    seat: Seat
    card: int
    talents: int


class CardUsed(Event, frozen=True, array_like=True, gc=False, tag=44):
    """`seat` used a multi-use card and gained talents by it."""

    seat: Seat
    card: int
    talents: int


class CityBuilt(Event, frozen=True, array_like=True, gc=False, tag=45):
    """`seat` built a city."""

    seat: Seat
    space: Space


class CityTaken(Event, frozen=True, array_like=True, gc=False, tag=46):
    """A city changed hands."""

    seat: Seat
    space: Space
    loser: Seat


class Rewarded(Event, frozen=True, array_like=True, gc=False, tag=47):
    """`seat` gained talents, victory points or influence by a card."""

    seat: Seat
    card: int
    talents: int
    points: int


class Reinforced(Event, frozen=True, array_like=True, gc=False, tag=48):
    """Units from the supply joined `seat` without pay."""

    seat: Seat
    space: Space
    army: Army
    galleys: tuple[int, ...]


class Recruited(Event, frozen=True, array_like=True, gc=False, tag=49):
    """`seat` recruited: by province units and generals, and galleys by zone."""

    seat: Seat
    armies: tuple[tuple[int, int, int, int, int], ...]
    fleets: tuple[tuple[int, int], ...]
    talents: int


class InfluenceBought(Event, frozen=True, array_like=True, gc=False, tag=50):
    """`seat` bought tokens, from the bank (NONE) or from players."""

    seat: Seat
    space: Space
    sellers: tuple[int, ...]
    talents: int


class InfluenceGained(Event, frozen=True, array_like=True, gc=False, tag=51):
    """`seat` placed influence without buying a token."""

    seat: Seat
    space: Space
    tokens: int


class Levied(Event, frozen=True, array_like=True, gc=False, tag=52):
    """`seat` raised a special tax."""

    seat: Seat
    talents: int


class Marched(Event, frozen=True, array_like=True, gc=False, tag=53):
    """Units moved on land, or over sea on galleys."""

    seat: Seat
    source: Space
    to: Space
    leaders: tuple[Leader, ...]
    army: Army
    by_sea: bool


class Sailed(Event, frozen=True, array_like=True, gc=False, tag=54):
    """Galleys moved to a sea zone."""

    seat: Seat
    galleys: tuple[int, ...]
    to: Space


class SlippedAway(Event, frozen=True, array_like=True, gc=False, tag=55):
    """`seat` avoided a naval battle by a Favorable Wind."""

    seat: Seat
    zone: Space


class Committed(Event, frozen=True, array_like=True, gc=False, tag=56):
    """Galleys joined a land battle."""

    seat: Seat
    space: Space
    galleys: tuple[int, ...]


class Lent(Event, frozen=True, array_like=True, gc=False, tag=57):
    """`seat` lent units to `to` for a battle."""

    seat: Seat
    to: Seat
    space: Space
    army: Army
    galleys: tuple[int, ...]


class Sank(Event, frozen=True, array_like=True, gc=False, tag=58):
    """Galleys were lost; `extra` belonged to a diplomacy card."""

    seat: Seat
    space: Space
    galleys: tuple[int, ...]
    extra: int


class BattleEnded(Event, frozen=True, array_like=True, gc=False, tag=59):
    """A battle is over; `winner` and `loser` are NONE if neither side was beaten. The loser gains 2 chaos."""

    space: Space
    winner: Seat
    loser: Seat


class RevoltBegan(Event, frozen=True, array_like=True, gc=False, tag=60):
    """Slaves rise."""

    seat: Seat
    space: Space
    victims: tuple[Seat, ...]


class RevoltEnded(Event, frozen=True, array_like=True, gc=False, tag=61):
    """The surviving slaves vanish."""

    space: Space
    slaves: int


class GeneralKilled(Event, frozen=True, array_like=True, gc=False, tag=62):
    """An assassin killed a general."""

    seat: Seat
    leader: Leader


class SenatorTaken(Event, frozen=True, array_like=True, gc=False, tag=63):
    """`seat` bribed a senator of `victim`; only these two are told its `value` (0: not told)."""

    seat: Seat
    victim: Seat
    value: int


class SenatorKilled(Event, frozen=True, array_like=True, gc=False, tag=64):
    """An assassin of `seat` removed a senator of `victim`, who alone is told its `value` (0: not told)."""

    seat: Seat
    victim: Seat
    value: int


class VoteBegan(Event, frozen=True, array_like=True, gc=False, tag=65):
    """`seat` calls a senate vote."""

    seat: Seat
    card: int


class SenatorsShown(Event, frozen=True, array_like=True, gc=False, tag=66):
    """`seat` leads the vote with `votes`, by these senators, by value."""

    seat: Seat
    shown: tuple[int, ...]
    votes: int


class VoteWon(Event, frozen=True, array_like=True, gc=False, tag=67):
    """`seat` won the vote and paid these senators, by value; NONE: no votes were cast."""

    seat: Seat
    card: int
    paid: tuple[int, ...]


class SenatorDrawn(Event, frozen=True, array_like=True, gc=False, tag=68):
    """The leader in Italia takes one of the spent senators; its `value` is told to that seat only (0: not told)."""

    seat: Seat
    value: int


class Taxed(Event, frozen=True, array_like=True, gc=False, tag=69):
    """All players collected taxes."""

    talents: tuple[int, ...]


class Scored(Event, frozen=True, array_like=True, gc=False, tag=70):
    """Victory points for a key province, by seat."""

    space: Space
    points: tuple[int, ...]


class ChaosShown(Event, frozen=True, array_like=True, gc=False, tag=71):
    """All players show their chaos, cities counted off, and lose these points."""

    chaos: tuple[int, ...]
    points: tuple[int, ...]


class SeasonEnded(Event, frozen=True, array_like=True, gc=False, tag=72):
    """A campaign season is over; these cards are on sale again."""

    season: int
    cards: tuple[int, ...]


class Why(IntEnum):
    """Why a match is over."""

    POINTS = 0
    CONCEDED = 1


class Won(Event, frozen=True, array_like=True, gc=False, tag=73):
    """The match is over, and these seats have won."""

    seats: tuple[Seat, ...]
    why: Why


AnyEvent = (
    FirstPlayer | InfluenceDrawn | SeasonBegan | TokensPlaced | CardsOpened | AuctionBegan | BidMade | Passed | Allied
    | Deployed | TurnBegan | CardTaken | CardUsed | CityBuilt | CityTaken | Rewarded | Reinforced | Recruited
    | InfluenceBought | InfluenceGained | Levied | Marched | Sailed | BattleBegan | SlippedAway | Committed | Lent
    | DiceFell | Fell | Sank | Retreated | BattleEnded | RevoltBegan | RevoltEnded | GeneralKilled | SenatorTaken
    | SenatorKilled | VoteBegan | SenatorsShown | VoteWon | SenatorDrawn | Taxed | Scored | ChaosShown | SeasonEnded
    | Conceded | Won
)  # fmt: skip

DECODER = msgspec.msgpack.Decoder(AnyEvent)
