"""Frames of a match of the second game."""

from shared.ids import NONE, Leader, Seat, Space
from shared.kernel.frames import Deal, Dice, Frame
from shared.rulesets.cote2.stages import BattleStage, MotionStage, SeasonStep
from shared.vocabulary.frames import Onward


class Setup(Frame, frozen=True, array_like=True, gc=False, tag=32):
    """The first player is drawn, then each seat draws its first influence. `drawn`: seats that have."""

    first: Seat = NONE
    drawn: int = 0


class Season(Frame, frozen=True, array_like=True, gc=False, tag=33):
    """A campaign season; `step` comes next (II-SEASON-01), `opener` opens its first auction."""

    opener: Seat
    step: SeasonStep = SeasonStep.BEGIN


class Alliances(Frame, frozen=True, array_like=True, gc=False, tag=34):
    """Phase 3: auctions until everybody is allied; `opener` opens the next one (II-AUCTION-02)."""

    opener: Seat


class Auction(Frame, frozen=True, array_like=True, gc=False, tag=35):
    """`seat` bids or passes; `bidder` offers `talents` for `a` and `b` in the proposal boxes. The opener (`bidder`
    NONE) must bid, and 0 will do (II-D13); a seat that passes may bid again later (II-D15).
    """

    seat: Seat
    talents: int = -5
    bidder: Seat = NONE
    a: Seat = NONE
    b: Seat = NONE


class Deployments(Frame, frozen=True, array_like=True, gc=False, tag=36):
    """Phase 4 of the first season; `place` is the next in the turn order."""

    place: int = 0


class Deployment(Frame, frozen=True, array_like=True, gc=False, tag=37):
    """`seat` places all its starting units (II-PLACE-01)."""

    seat: Seat


class Rounds(Frame, frozen=True, array_like=True, gc=False, tag=38):
    """Phase 5; `place` is the next in the turn order of this round."""

    place: int = 0


class Turn(Frame, frozen=True, array_like=True, gc=False, tag=39):
    """`seat` has `left` actions in this round; `obtained`: whether it took a card already (II-ACT-01). spared: leaders
    without troops who were attacked in this turn (II-D35)."""

    seat: Seat
    left: int
    obtained: bool = False
    spared: tuple[Leader, ...] = ()


class Battle(Frame, frozen=True, array_like=True, gc=False, tag=40):
    """A battle in a province or sea zone; `stage` comes next.

    attacking, defending: battle armies, as entries of the view's `units`; diplomacy troops stand under seat 6, slaves
    under 7. attack_fleet, defence_fleet: galleys. attack_extra, defence_extra: galleys of diplomacy cards.
    place: the next ally in the turn order who is asked. hits: of attacker and defender, not yet taken off. lenders:
    allies who lent something.
    """

    space: Space
    attacker: Seat
    defender: Seat
    round: int = 1
    stage: BattleStage = BattleStage.OPEN
    place: int = 0
    attacking: tuple[int, ...] = ()
    defending: tuple[int, ...] = ()
    attack_fleet: tuple[int, ...] = ()
    defence_fleet: tuple[int, ...] = ()
    attack_extra: int = 0
    defence_extra: int = 0
    hits: tuple[int, int] = (0, 0)
    lenders: tuple[Seat, ...] = ()


class Wind(Frame, frozen=True, array_like=True, gc=False, tag=41):
    """`seat`, attacked by `attacker` in `zone`, may slip away (II-C-43)."""

    seat: Seat
    zone: Space
    attacker: Seat


class Commitment(Frame, frozen=True, array_like=True, gc=False, tag=42):
    """`seat` commits galleys from adjacent zones to its battle in `space` (II-BATTLE-02)."""

    seat: Seat
    space: Space


class Aid(Frame, frozen=True, array_like=True, gc=False, tag=43):
    """`seat` may lend units to `to` in the battle in `space` (II-BATTLE-03)."""

    seat: Seat
    to: Seat
    space: Space


class Casualties(Frame, frozen=True, array_like=True, gc=False, tag=44):
    """`seat` chooses `hits` losses among the units that it controls in the battle in `space` (II-BATTLE-07)."""

    seat: Seat
    space: Space
    army: tuple[int, ...]
    galleys: tuple[int, ...]
    extra: int
    hits: int


class Withdrawal(Frame, frozen=True, array_like=True, gc=False, tag=45):
    """The leaders of `seat`, without units, must leave `space` (II-RETREAT-02)."""

    seat: Seat
    space: Space


class Revolt(Frame, frozen=True, array_like=True, gc=False, tag=46):
    """`slaves` fight the `victims` in `space` one after the other (II-C-40)."""

    space: Space
    slaves: int
    victims: tuple[Seat, ...]


class Motion(Frame, frozen=True, array_like=True, gc=False, tag=47):
    """A senate vote on `card`; `stage` comes next. `paid`: spent senators by value, of `winner`; `drawer` takes one
    of them."""

    card: int
    caller: Seat
    stage: MotionStage = MotionStage.VOTE
    winner: Seat = NONE
    paid: tuple[int, ...] = ()
    drawer: Seat = NONE


class Vote(Frame, frozen=True, array_like=True, gc=False, tag=48):
    """`seat` shows more senators or passes. shown: by seat, the senators shown so far, by value; `bidder` leads."""

    card: int
    caller: Seat
    seat: Seat
    shown: tuple[tuple[int, int, int, int], ...]
    bidder: Seat = NONE


class Muster(Frame, frozen=True, array_like=True, gc=False, tag=49):
    """`seat` chooses the province for its new legions (II-C-12)."""

    seat: Seat
    infantry: int


class Theft(Frame, frozen=True, array_like=True, gc=False, tag=50):
    """A senator is drawn blindly from `victim`: for `seat` if `kept`, else out of play (II-C-07, II-C-39)."""

    seat: Seat
    victim: Seat
    kept: bool


AnyFrame = (
    Dice | Deal | Setup | Season | Alliances | Auction | Deployments | Deployment | Rounds | Turn | Battle | Wind
    | Commitment | Aid | Casualties | Onward | Withdrawal | Revolt | Motion | Vote | Muster | Theft
)  # fmt: skip
