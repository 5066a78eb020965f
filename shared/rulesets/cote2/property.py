"""Property and its transfer: supply, chaos, influence, cities, cards."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Emit
from shared.mechanics.armies import army_of, has_army, minus, plus, put_army, well_formed
from shared.mechanics.heaps import with_one
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.data import CARDS, KEY_SET, KEYS, MULTI_USE, SENATOR, SENATORS
from shared.rulesets.cote2.frames import Rounds, Turn
from shared.rulesets.cote2.options import INFLUENCE, TOKENS_EACH
from shared.rulesets.cote2.state import FROM_CARD, GALLEYS, LEADERS, OFF, POOL, State, TableFields, led


def army_on_board(table: TableFields, seat: Seat) -> Army:
    """Return the land units of `seat` on the board."""
    infantry = cavalry = catapults = 0
    for cell in filter(None, table.units):
        for i in range(0, len(cell), 4):
            if cell[i] == seat:
                infantry += cell[i + 1]
                cavalry += cell[i + 2]
                catapults += cell[i + 3]
    return infantry, cavalry, catapults


def army_supply(table: TableFields, seat: Seat) -> Army:
    """Return the land units that `seat` can still bring on the board."""
    return minus(POOL, army_on_board(table, seat))


def galley_supply(table: TableFields, seat: Seat) -> tuple[int, ...]:
    """Return the galleys in the supply of `seat`."""
    first = seat * GALLEYS
    return tuple([g for g in range(first, first + GALLEYS) if table.galley_at[g] == OFF])


def general_supply(table: TableFields, seat: Seat) -> tuple[int, ...]:
    """Return the generals in the supply of `seat`."""
    first = seat * LEADERS
    return tuple([x for x in range(first + 1, first + LEADERS) if table.leader_at[x] == OFF])


def influence_of(table: TableFields, seat: Seat) -> int:
    """Return the number of influence tokens of `seat` on the board."""
    return sum([table.influence[space][seat] for space in KEYS])


def influence_supply(table: TableFields, seat: Seat) -> int:
    """Return the number of influence tokens that `seat` can still place (II-D10)."""
    return table.options[INFLUENCE] - influence_of(table, seat)


def add_influence(state: State, seat: Seat, space: Space, tokens: int) -> None:
    """Add tokens (or, if negative, remove them)."""
    state.influence[space] = with_one(state.influence[space], seat, tokens)


def add_army(state: State, seat: Seat, space: Space, army: Army) -> None:
    """Add units."""
    cell = state.units[space]
    state.units[space] = put_army(cell, seat, plus(army_of(cell, seat), army))


def take_army(state: State, seat: Seat, space: Space, army: Army) -> None:
    """Remove units."""
    cell = state.units[space]
    state.units[space] = put_army(cell, seat, minus(army_of(cell, seat), army))


def launch(state: State, seat: Seat, zone: Space, number: int) -> tuple[int, ...]:
    """Place new galleys in a sea zone, as many as the supply has, and return them."""
    galleys = galley_supply(state, seat)[:number]
    for galley in galleys:
        state.galley_at[galley] = zone
    return galleys


def add_chaos(state: State, seat: Seat, points: int) -> None:
    """Add chaos (or, if negative, remove it, but never below 0)."""
    state.chaos[seat] = max(0, state.chaos[seat] + points)


# --- victory points ---


def award(state: State, source: int, points: Sequence[int]) -> None:
    """Add victory points by seat (or, if negative, remove them). This is the only way in which they change; see
    `TableFields.ledger`.
    """
    if any(points):
        state.points = [had + n for had, n in zip(state.points, points, strict=True)]
        state.ledger.append((state.season, source, *points))


def reward(state: State, seat: Seat, card: int, talents: int, points: int, emit: Emit) -> None:
    """Give a card's immediate rewards."""
    state.talents[seat] += talents
    award(state, FROM_CARD + card, [points if who == seat else 0 for who in range(state.seats)])
    emit(events.Rewarded(seat, card, talents, points))


# --- cities ---


def present(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether land units of `seat`, leaders too, are in a province."""
    return has_army(table.units[space], seat) or led(table, seat, space)


def occupy_city(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """Give a city without units of its owner to `seat`, whose land units or leaders came (II-C-92, II-D51)."""
    if not state.built[space]:
        return
    owner = state.owner[space]
    if owner != seat and not present(state, owner, space):
        give_city(state, seat, space, emit)


def abandon_city(state: State, space: Space, emit: Emit) -> None:
    """Give a city that lost its last defender to others that stand there (II-D51)."""
    if not state.built[space] or present(state, state.owner[space], space):
        return
    for seat in state.order:
        if has_army(state.units[space], seat):
            give_city(state, seat, space, emit)
            return


def give_city(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """Give a city to another owner."""
    loser = state.owner[space]
    if loser != seat:
        state.owner[space] = seat
        emit(events.CityTaken(seat, space, loser))


def cities_of(table: TableFields, seat: Seat) -> int:
    """Return the number of cities that `seat` owns."""
    return table.owner.count(seat)


# --- leaders ---


def spare(state: State, leaders: Collection[Leader]) -> None:
    """Protect these leaders from further attacks in this turn while they are without troops (II-D35)."""
    for at, frame in enumerate(state.frames):
        # The turn lies below battles and votes, so it is searched for, not taken from the top.
        if isinstance(frame, Turn):
            state.frames[at] = replace(frame, spared=tuple(sorted({*frame.spared, *leaders})))


# --- cards ---


def copies(table: TableFields, seat: Seat, card: int) -> int:
    """Return the number of cards of that kind that lie before `seat`."""
    return table.cards[seat].count(card)


def ready(table: TableFields, seat: Seat, card: int) -> bool:
    """Whether `seat` has a multi-use card of that kind that was not used this season (II-CARD-05)."""
    return table.cards[seat].count(card) > table.used[seat].count(card)


def gain_card(state: State, seat: Seat, card: int) -> None:
    """Give a card to its new owner: into the hand if it is a senator, else before them."""
    if CARDS[card].kind == SENATOR:
        state.senators[seat] = with_one(state.senators[seat], CARDS[card].gain[0] - 1)
    else:
        # Sorted, because equal sets of cards must be equal values for deltas and digests.
        state.cards[seat] = tuple(sorted((*state.cards[seat], card)))


def unused(table: TableFields, seat: Seat) -> list[int]:
    """Return the kinds of multi-use cards that `seat` may still use this season, each once."""
    held = table.cards[seat]
    if not held:
        return []
    return [card for card in sorted(set(held)) if CARDS[card].kind == MULTI_USE and ready(table, seat, card)]


# --- soundness ---


def check_property(state: State) -> list[str]:
    """Return the faults in the pieces of a position; [] for a sound one."""
    wrong = [f"negative talents {state.talents}"] if min(state.talents) < 0 else []
    # All sums of the game are multiples of 5; anything else is an error of ours.
    if min(state.chaos) < 0 or any(n % 5 for n in state.talents):
        wrong.append(f"chaos {state.chaos}, talents {state.talents}")
    if state.points != [sum([entry[2 + seat] for entry in state.ledger]) for seat in range(state.seats)]:
        wrong.append(f"points {state.points}, ledger {state.ledger}")
    return wrong + _check_armies(state) + _check_tokens(state) + _check_cards(state)


def _check_armies(state: State) -> list[str]:
    wrong = []
    for space, cell in enumerate(state.units):
        if cell and not (well_formed(cell) and max(cell[::4]) < state.seats):
            wrong.append(f"bad armies {cell} in {BOARD.keys[space]}")
    for seat in range(state.seats):
        if min(army_supply(state, seat)) < 0:
            wrong.append(f"seat {seat} has {army_on_board(state, seat)} on the board")
        caesar = state.leader_at[seat * LEADERS]
        if caesar == OFF and any(isinstance(frame, Rounds) for frame in state.frames):
            wrong.append(f"the Caesar of seat {seat} is off the board")
    for leader, at in enumerate(state.leader_at):
        if at != OFF and not 0 <= at < BOARD.provinces:
            wrong.append(f"leader {leader} is at {at}")
    for galley, at in enumerate(state.galley_at):
        if at != OFF and not BOARD.is_sea(at):
            wrong.append(f"galley {galley} is at {at}")
    for space, owner in enumerate(state.owner):
        if (owner != NONE) != bool(state.built[space]) or (state.built[space] and space not in KEY_SET):
            wrong.append(f"city {state.built[space]} of seat {owner} in {BOARD.keys[space]}")
    return wrong


def _check_tokens(state: State) -> list[str]:
    wrong = []
    for space in range(BOARD.provinces):
        if len(state.influence[space]) != (state.seats if space in KEY_SET else 0) or min(state.tokens) < 0:
            wrong.append(f"influence {state.influence[space]} in {BOARD.keys[space]}")
        elif state.influence[space] and min(state.influence[space]) < 0:
            wrong.append(f"negative influence in {BOARD.keys[space]}")
        if state.tokens[space] and space not in KEY_SET:
            wrong.append(f"a province token in {BOARD.keys[space]}")
    short = [seat for seat in range(state.seats) if influence_supply(state, seat) < 0]
    wrong += [f"seat {seat} has {influence_of(state, seat)} influence tokens" for seat in short]
    for k, space in enumerate(KEYS):
        if state.pool[k] < 0 or state.pool[k] + state.tokens[space] > state.options[TOKENS_EACH]:
            wrong.append(f"too many tokens of {BOARD.keys[space]}")
    return wrong


def _check_cards(state: State) -> list[str]:
    """Check that there are always 83 cards (II-C-90)."""
    counts = [n + m + g for n, m, g in zip(state.deck, state.row, state.gone, strict=True)]
    for cards in state.cards:
        for card in cards:
            counts[card] += 1
    wrong = []
    for hand in state.senators:
        for value, n in enumerate(hand):
            counts[SENATORS[value]] += n
        if len(hand) != 4 or min(hand) < 0:
            wrong.append(f"senators {hand}")
    if counts != [card.copies for card in CARDS] or min(state.deck + state.row + state.gone) < 0:
        wrong.append(f"there are not the printed cards: {counts}")
    for cards, used in zip(state.cards, state.used, strict=True):
        if list(cards) != sorted(cards) or any(used.count(card) > cards.count(card) for card in used):
            wrong.append(f"cards {cards}, used {used}")
    return wrong
