"""Phases 3 and 4: the alliance auctions, and the first units (II-AUCTION, II-PLACE)."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Seat, Space
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler, automatic, push, replace_top
from shared.language.sentence import _
from shared.mechanics.armies import army_words, plus, total
from shared.mechanics.auction import next_voice, raises
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Bid, Deploy, Groups, Pass
from shared.rulesets.cote2.data import KEYS, SEAS
from shared.rulesets.cote2.frames import Alliances, Auction, Deployment, Deployments
from shared.rulesets.cote2.options import bid_step
from shared.rulesets.cote2.property import add_army
from shared.rulesets.cote2.state import GALLEYS, LEADERS, State, TableFields, is_zone, start_army
from shared.vocabulary.frames import seat_owes

RAISES = (1, 2, 4)
"""Coins above the high bid that `options` suggests."""


def unallied(table: TableFields) -> list[Seat]:
    """Return the players without an alliance."""
    return [seat for seat in range(table.seats) if table.side[seat] == NONE]


# --- the series of auctions ---


def _series(state: State, frame: Alliances, result: Any, emit: Emit) -> object:
    """Hold one auction after the other, each opened by the next player to the left (II-AUCTION-01, -02, -08)."""
    if isinstance(result, Auction):
        _settle(state, result, emit)
    if not unallied(state):
        return DONE
    replace_top(state, Alliances(frame.no, (frame.opener + 1) % state.seats))
    emit(events.AuctionBegan(frame.opener))
    push(state, Auction, frame.opener)
    return STAY


def _settle(state: State, won: Auction, emit: Emit) -> None:
    """Let the winner pay; the markers go from the proposal boxes to the next places (II-AUCTION-04, -07, II-D11)."""
    state.talents[won.bidder] -= won.talents
    for side, seat in enumerate((won.a, won.b)):
        if seat != NONE:
            state.side[seat] = side
            state.order = (*state.order, seat)
    emit(events.Allied(won.bidder, won.talents, won.a, won.b))


# --- one auction ---


def _proposals(table: TableFields) -> Iterator[tuple[Seat, Seat]]:
    left = unallied(table)
    if len(left) == 1:
        # The last player of an odd number stands alone, in either box (II-D11).
        return iter([(left[0], NONE), (NONE, left[0])])
    return iter(permutations(left, 2))


def _options(table: TableFields, frame: Auction, seat: Seat) -> list[Action]:
    """Return passing, the next bid with every proposal, and higher ones with the first of them."""
    money = table.talents[seat]
    found: list[Action] = [] if frame.bidder == NONE else [Pass()]
    pairs = list(_proposals(table))
    step = bid_step(table)
    bids = [bid for n in RAISES if (bid := frame.talents + n * step) <= money]
    for bid in bids:
        # Thirty pairs at most, times three bids: all of them for the next bid, a few for higher ones.
        found += [Bid(bid, a, b) for a, b in (pairs if bid == bids[0] else pairs[: table.seats])]
    return found


def _check(table: TableFields, frame: Auction, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Pass):
        if frame.bidder != NONE:
            return None
        return Refusal("must-bid", "II-D13", "The first player of an auction must bid; 0 is enough.")
    if not isinstance(action, Bid):
        return Refusal("wrong-action", "II-AUCTION-03", "Bid or pass in the alliance auction.")
    if not raises(frame.talents, bid_step(table), action.talents):
        text = _("Bids are multiples of {step} talents and higher than the last one.", step=bid_step(table))
        return Refusal("bid-too-low", "II-D12", text)
    if action.talents > table.talents[seat]:
        return Refusal("too-dear", "II-D12", _("You have only {talents} talents.", talents=table.talents[seat]))
    return _check_proposal(table, action)


def _check_proposal(table: TableFields, bid: Bid) -> Refusal | None:
    left = unallied(table)
    named = [seat for seat in (bid.a, bid.b) if seat != NONE]
    if not named or bid.a == bid.b or not set(named) <= set(left):
        return Refusal("bad-proposal", "II-AUCTION-05", "The proposal boxes take players who are not allied yet.")
    if len(named) == 1 and len(left) > 1:
        text = "Only the last player of an odd number stands alone in the proposal."
        return Refusal("one-marker", "II-AUCTION-06", text)
    return None


def _apply(state: State, frame: Auction, seat: Seat, action: Bid | Pass, emit: Emit) -> object:
    """Record a bid or a pass; the auction ends when the bidding comes back to the high bidder (II-AUCTION-03,
    II-D15).
    """
    if isinstance(action, Bid):
        frame = Auction(frame.no, seat, action.talents, seat, action.a, action.b)
        emit(events.BidMade(seat, action.talents, action.a, action.b))
    else:
        emit(events.Passed(seat))
    # Players who cannot pay more are not asked (II-D15).
    need = frame.talents + bid_step(state)
    following = next_voice(state.seats, seat, frame.bidder, lambda other: state.talents[other] >= need)
    if following == NONE:
        return frame
    replace_top(state, Auction(frame.no, following, frame.talents, frame.bidder, frame.a, frame.b))
    return STAY


def _default(table: TableFields, frame: Auction, _seat: Seat) -> Action:
    return Bid(0, *next(_proposals(table))) if frame.bidder == NONE else Pass()


# --- starting units ---


def _deployments(state: State, frame: Deployments, _result: object, _emit: Emit) -> object:
    if frame.place == len(state.order):
        return DONE
    replace_top(state, Deployments(frame.no, frame.place + 1))
    push(state, Deployment, state.order[frame.place])
    return STAY


def camps(table: TableFields, seat: Seat) -> list[Space]:
    """Return the provinces with influence of `seat` (II-PLACE-02)."""
    return [space for space in KEYS if table.influence[space][seat]]


def harbours(table: TableFields, seat: Seat) -> list[Space]:
    """Return the sea zones adjacent to such a province; none for players who drew only Mesopotamia (II-D07)."""
    return sorted({zone for space in camps(table, seat) for zone in SEAS[space]})


def _deployment_options(table: TableFields, _frame: Deployment, seat: Seat) -> list[Action]:
    """Return placements: all units together, and all but one infantry in each of the others."""
    found: list[Action] = []
    infantry, cavalry, catapults = start_army()
    spaces = camps(table, seat)
    for zone in harbours(table, seat) or [NONE]:
        for main in spaces:
            others = [space for space in spaces if space != main]
            guards = tuple([(space, 1, 0, 0) for space in others])
            whole, rest = (main, infantry, cavalry, catapults), (main, infantry - len(others), cavalry, catapults)
            ways: list[Groups] = [(whole,), (rest, *guards)] if others else [(whole,)]
            found += [Deploy(armies, main, general, zone) for general in spaces for armies in ways]
    return found


def _deployment_check(table: TableFields, _frame: Deployment, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Deploy):
        return Refusal("wrong-action", "II-PLACE-01", "Place your starting units first.")
    spaces = camps(table, seat)
    placed = NO_ARMY
    for space, *army in action.armies:
        if space not in spaces:
            return _no_camp()
        placed = plus(placed, army)
    if placed != start_army():
        text = _("Exactly {units} are placed, not {placed}.", units=army_words(start_army()), placed=army_words(placed))
        return Refusal("not-all", "II-PLACE-01", text)
    if action.caesar not in spaces or action.general not in spaces:
        return _no_camp()
    zones = harbours(table, seat)
    # No zone is right only for a player with no sea next to any token (II-D07).
    if action.galley not in zones and not (action.galley == NONE and not zones):
        harbour = "The galley is placed in a sea zone next to a province with your influence."
        return Refusal("no-harbour", "II-PLACE-02", harbour)
    return None


def _no_camp() -> Refusal:
    return Refusal("no-influence", "II-PLACE-02", "Starting units stand only in provinces with your influence.")


def _deployment_apply(state: State, _frame: Deployment, seat: Seat, action: Deploy, emit: Emit) -> object:
    armies = tuple([group for group in action.armies if total(group[1:])])
    for space, *army in armies:
        add_army(state, seat, space, (army[0], army[1], army[2]))
    state.leader_at[seat * LEADERS] = action.caesar
    state.leader_at[seat * LEADERS + 1] = action.general
    if is_zone(action.galley):
        state.galley_at[seat * GALLEYS] = action.galley
    emit(events.Deployed(seat, armies, action.caesar, action.general, action.galley))
    return DONE


def _deployment_default(table: TableFields, frame: Deployment, seat: Seat) -> Action:
    """Place the army where most of the influence is, and a guard in each of the other provinces."""
    spaces = sorted(camps(table, seat), key=lambda space: (-table.influence[space][seat], BOARD.keys[space]))
    infantry, cavalry, catapults = start_army()
    guards = [(space, 1, 0, 0) for space in spaces[1:]]
    main = (spaces[0], infantry - len(guards), cavalry, catapults)
    zone = next(iter(harbours(table, seat)), NONE)
    return Deploy((main, *guards), spaces[0], spaces[0], zone)


ALLIANCES: Handler[TableFields, State] = automatic(_series)
AUCTION: Handler[TableFields, State] = Handler(seat_owes, _options, _check, _apply, _default, raise_broken_rules)
DEPLOYMENTS: Handler[TableFields, State] = automatic(_deployments)
DEPLOYMENT: Handler[TableFields, State] = Handler(
    seat_owes, _deployment_options, _deployment_check, _deployment_apply, _deployment_default, raise_broken_rules
)
