"""What happens in a match of the second game, for the log, for sound and for motion."""

import msgspec

from shared.ids import Army, Leader, Seat, Space
from shared.kernel.frames import Event


class FirstPlayer(Event, frozen=True, array_like=True, gc=False, tag=0):
    """`seat` is the first player (II-D01)."""

    seat: Seat


class InfluenceDrawn(Event, frozen=True, array_like=True, gc=False, tag=1):
    """`seat` begins with influence in these key provinces."""

    seat: Seat
    spaces: tuple[Space, ...]


class SeasonBegan(Event, frozen=True, array_like=True, gc=False, tag=2):
    """A campaign season begins."""

    season: int


class TokensPlaced(Event, frozen=True, array_like=True, gc=False, tag=3):
    """Province tokens were laid out, one for each entry."""

    spaces: tuple[Space, ...]


class CardsOpened(Event, frozen=True, array_like=True, gc=False, tag=4):
    """Cards were laid open."""

    cards: tuple[int, ...]


class AuctionBegan(Event, frozen=True, array_like=True, gc=False, tag=5):
    """An alliance auction begins."""

    seat: Seat


class BidMade(Event, frozen=True, array_like=True, gc=False, tag=6):
    """`seat` bids, with `a` and `b` in the proposal boxes."""

    seat: Seat
    talents: int
    a: Seat
    b: Seat


class Passed(Event, frozen=True, array_like=True, gc=False, tag=7):
    """`seat` passes: an action, a bid, a vote."""

    seat: Seat


class Allied(Event, frozen=True, array_like=True, gc=False, tag=8):
    """`seat` won the auction and paid; `a` and `b` took their boxes."""

    seat: Seat
    talents: int
    a: Seat
    b: Seat


class Deployed(Event, frozen=True, array_like=True, gc=False, tag=9):
    """`seat` placed its starting units."""

    seat: Seat
    armies: tuple[tuple[int, int, int, int], ...]
    caesar: Space
    general: Space
    galley: Space


class TurnBegan(Event, frozen=True, array_like=True, gc=False, tag=10):
    """The two actions of `seat` begin."""

    seat: Seat
    season: int
    round: int


class CardTaken(Event, frozen=True, array_like=True, gc=False, tag=11):
    """`seat` obtained a card for its price."""

    seat: Seat
    card: int
    talents: int


class CardUsed(Event, frozen=True, array_like=True, gc=False, tag=12):
    """`seat` used a multi-use card and gained talents by it."""

    seat: Seat
    card: int
    talents: int


class CityBuilt(Event, frozen=True, array_like=True, gc=False, tag=13):
    """`seat` built a city."""

    seat: Seat
    space: Space


class CityTaken(Event, frozen=True, array_like=True, gc=False, tag=14):
    """A city changed hands."""

    seat: Seat
    space: Space
    loser: Seat


class Rewarded(Event, frozen=True, array_like=True, gc=False, tag=15):
    """`seat` gained talents, victory points or influence by a card."""

    seat: Seat
    card: int
    talents: int
    points: int


class Reinforced(Event, frozen=True, array_like=True, gc=False, tag=16):
    """Units from the supply joined `seat` without pay."""

    seat: Seat
    space: Space
    army: Army
    galleys: tuple[int, ...]


class Recruited(Event, frozen=True, array_like=True, gc=False, tag=17):
    """`seat` recruited: by province units and generals, and galleys by zone."""

    seat: Seat
    armies: tuple[tuple[int, int, int, int, int], ...]
    fleets: tuple[tuple[int, int], ...]
    talents: int


class InfluenceBought(Event, frozen=True, array_like=True, gc=False, tag=18):
    """`seat` bought tokens, from the bank (NONE) or from players."""

    seat: Seat
    space: Space
    sellers: tuple[int, ...]
    talents: int


class InfluenceGained(Event, frozen=True, array_like=True, gc=False, tag=19):
    """`seat` placed influence without buying a token."""

    seat: Seat
    space: Space
    tokens: int


class Levied(Event, frozen=True, array_like=True, gc=False, tag=20):
    """`seat` raised a special tax."""

    seat: Seat
    talents: int


class Marched(Event, frozen=True, array_like=True, gc=False, tag=21):
    """Units moved on land, or over sea on galleys."""

    seat: Seat
    source: Space
    to: Space
    leaders: tuple[Leader, ...]
    army: Army
    by_sea: bool


class Sailed(Event, frozen=True, array_like=True, gc=False, tag=22):
    """Galleys moved to a sea zone."""

    seat: Seat
    galleys: tuple[int, ...]
    to: Space


class BattleBegan(Event, frozen=True, array_like=True, gc=False, tag=23):
    """A battle begins in a province or in a sea zone."""

    space: Space
    attacker: Seat
    defender: Seat


class SlippedAway(Event, frozen=True, array_like=True, gc=False, tag=24):
    """`seat` avoided a naval battle by a Favorable Wind."""

    seat: Seat
    zone: Space


class Committed(Event, frozen=True, array_like=True, gc=False, tag=25):
    """Galleys joined a land battle."""

    seat: Seat
    space: Space
    galleys: tuple[int, ...]


class Lent(Event, frozen=True, array_like=True, gc=False, tag=26):
    """`seat` lent units to `to` for a battle."""

    seat: Seat
    to: Seat
    space: Space
    army: Army
    galleys: tuple[int, ...]


class DiceFell(Event, frozen=True, array_like=True, gc=False, tag=27):
    """`seat` rolled; `hits` after matching."""

    seat: Seat
    space: Space
    faces: tuple[int, ...]
    hits: int


class Fell(Event, frozen=True, array_like=True, gc=False, tag=28):
    """Units were lost; ALIENS and REBELS as in state.py."""

    seat: Seat
    space: Space
    army: Army


class Sank(Event, frozen=True, array_like=True, gc=False, tag=29):
    """Galleys were lost; `extra` belonged to a diplomacy card."""

    seat: Seat
    space: Space
    galleys: tuple[int, ...]
    extra: int


class Retreated(Event, frozen=True, array_like=True, gc=False, tag=30):
    """What is left of a side leaves a battle for `to`."""

    seat: Seat
    source: Space
    to: Space
    leaders: tuple[Leader, ...]
    army: Army


class BattleEnded(Event, frozen=True, array_like=True, gc=False, tag=31):
    """A battle is over; `winner` and `loser` are NONE where nobody was beaten. The loser gains 2 chaos."""

    space: Space
    winner: Seat
    loser: Seat


class RevoltBegan(Event, frozen=True, array_like=True, gc=False, tag=32):
    """Slaves rise."""

    seat: Seat
    space: Space
    victims: tuple[Seat, ...]


class RevoltEnded(Event, frozen=True, array_like=True, gc=False, tag=33):
    """The surviving slaves vanish."""

    space: Space
    slaves: int


class GeneralKilled(Event, frozen=True, array_like=True, gc=False, tag=34):
    """An assassin killed a general."""

    seat: Seat
    leader: Leader


class SenatorTaken(Event, frozen=True, array_like=True, gc=False, tag=35):
    """`seat` bribed a senator of `victim`; only these two are told its `value` (0: not told)."""

    seat: Seat
    victim: Seat
    value: int


class SenatorKilled(Event, frozen=True, array_like=True, gc=False, tag=36):
    """An assassin of `seat` removed a senator of `victim`, who alone is told its `value` (0: not told)."""

    seat: Seat
    victim: Seat
    value: int


class VoteBegan(Event, frozen=True, array_like=True, gc=False, tag=37):
    """`seat` calls a senate vote."""

    seat: Seat
    card: int


class SenatorsShown(Event, frozen=True, array_like=True, gc=False, tag=38):
    """`seat` leads the vote with `votes`, by these senators, by value."""

    seat: Seat
    shown: tuple[int, ...]
    votes: int


class VoteWon(Event, frozen=True, array_like=True, gc=False, tag=39):
    """`seat` won the vote and paid these senators, by value; NONE: nobody voted."""

    seat: Seat
    card: int
    paid: tuple[int, ...]


class SenatorDrawn(Event, frozen=True, array_like=True, gc=False, tag=40):
    """The leader in Italia takes one of the spent senators; only he is told its `value` (0: not told)."""

    seat: Seat
    value: int


class Taxed(Event, frozen=True, array_like=True, gc=False, tag=41):
    """Everybody collected taxes."""

    talents: tuple[int, ...]


class Scored(Event, frozen=True, array_like=True, gc=False, tag=42):
    """Victory points for a key province, by seat."""

    space: Space
    points: tuple[int, ...]


class ChaosShown(Event, frozen=True, array_like=True, gc=False, tag=43):
    """Everybody shows its chaos, cities counted off, and loses these points."""

    chaos: tuple[int, ...]
    points: tuple[int, ...]


class SeasonEnded(Event, frozen=True, array_like=True, gc=False, tag=44):
    """A campaign season is over; these cards are on sale again."""

    season: int
    cards: tuple[int, ...]


class Conceded(Event, frozen=True, array_like=True, gc=False, tag=45):
    """`seat` agrees that `to` has won, or (NONE) no longer does."""

    seat: Seat
    to: Seat


class Won(Event, frozen=True, array_like=True, gc=False, tag=46):
    """The match is over. `why`: 0 victory points, 1 conceded."""

    seats: tuple[Seat, ...]
    why: int


AnyEvent = (
    FirstPlayer | InfluenceDrawn | SeasonBegan | TokensPlaced | CardsOpened | AuctionBegan | BidMade | Passed | Allied
    | Deployed | TurnBegan | CardTaken | CardUsed | CityBuilt | CityTaken | Rewarded | Reinforced | Recruited
    | InfluenceBought | InfluenceGained | Levied | Marched | Sailed | BattleBegan | SlippedAway | Committed | Lent
    | DiceFell | Fell | Sank | Retreated | BattleEnded | RevoltBegan | RevoltEnded | GeneralKilled | SenatorTaken
    | SenatorKilled | VoteBegan | SenatorsShown | VoteWon | SenatorDrawn | Taxed | Scored | ChaosShown | SeasonEnded
    | Conceded | Won
)  # fmt: skip

DECODER = msgspec.msgpack.Decoder(AnyEvent)
