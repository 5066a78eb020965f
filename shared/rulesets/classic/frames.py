"""Frames of a Classic match."""

from shared.ids import Army, Seat, Space
from shared.kernel.frames import Frame
from shared.rulesets.classic.stages import NavalStage, PursuitStage, Stage
from shared.rulesets.conquest.vocabulary import CommonFrame


class Combat(Frame, frozen=True, array_like=True, gc=False, tag=14):
    """Phase 2. `pending`: (province, enemy) pairs, flat, of battles that must be fought. `fought`: (zone, enemy)
    pairs, flat, of naval battles already fought this turn (CL-D18). `stood`: where the seat's units stood when the
    phase began and there is something to win; only there it conquers, not where it retreats to (CL-D04, CL-D07)."""

    seat: Seat
    pending: tuple[int, ...]
    fought: tuple[int, ...]
    stood: tuple[Space, ...] = ()


class Battle(Frame, frozen=True, array_like=True, gc=False, tag=15):
    """A land battle; `stage` comes next in the round. `down`: the defender's laid-down units."""

    space: Space
    attacker: Seat
    defender: Seat
    round: int
    stage: Stage
    defending: Army
    attacking: Army
    down: Army


class Formation(Frame, frozen=True, array_like=True, gc=False, tag=16):
    """`seat` chooses a battle legion of exactly `size` units in `space` (CL-BATTLE-02)."""

    seat: Seat
    space: Space
    size: int


class Casualties(Frame, frozen=True, array_like=True, gc=False, tag=17):
    """`seat` chooses `hits` losses from `legion`, of `owner` (CL-BATTLE-07; in a pursuit the winner chooses)."""

    seat: Seat
    space: Space
    owner: Seat
    legion: Army
    hits: int


class Pursuit(Frame, frozen=True, array_like=True, gc=False, tag=19):
    """`loser` leaves `space` for `to` (NONE: surrounded) while `winner` pursues (CL-PURSUIT-01)."""

    space: Space
    winner: Seat
    loser: Seat
    to: Space
    stage: PursuitStage


class Withdrawal(Frame, frozen=True, array_like=True, gc=False, tag=20):
    """The leaders of `seat`, without units since both sides fell, must leave `space` (CL-D01)."""

    seat: Seat
    space: Space


class Naval(Frame, frozen=True, array_like=True, gc=False, tag=22):
    """A naval battle in `zone`, up to three rounds (CL-NAVAL-03); `stage` comes next in the round. `hits`: of attacker
    and defender this round. `sinking`: galleys chosen so far."""

    zone: Space
    attacker: Seat
    defender: Seat
    round: int
    stage: NavalStage
    hits: tuple[int, int]
    sinking: tuple[int, ...]


class Sinking(Frame, frozen=True, array_like=True, gc=False, tag=23):
    """`seat` chooses `hits` of its galleys in `zone` to sink (CL-NAVAL-02)."""

    seat: Seat
    zone: Space
    hits: int


class Placement(Frame, frozen=True, array_like=True, gc=False, tag=26):
    """Phase 6: `seat` places what it bought (units stand in the home already) and may bargain for generals.
    `factor`: the prices' multiple when they were bought; `offers`: bargains it may still propose this turn."""

    seat: Seat
    galleys: int
    cities: int
    fortifications: int
    roads: int
    factor: int
    offers: int


AnyFrame = CommonFrame | Combat | Battle | Formation | Casualties | Pursuit | Withdrawal | Naval | Sinking | Placement
