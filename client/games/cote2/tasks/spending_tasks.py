"""Actions about money: recruiting, buying influence, special tax."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.task_base import DraftedDeed, FormDeed, kind_name, remark, sea_name, spot, unit_picture
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.form_task import Cell, Look
from client.table.ground import Tint
from client.table.pieces import Token
from client.table.task import GO, HERE, Hit, berths, signs
from shared.board import BOARD
from shared.ids import GALLEY, NONE, Seat, Space
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Influence, Levy, Recruit
from shared.rulesets.cote2.data import KEY_SET, KEYS, SEAS
from shared.rulesets.cote2.economy import (
    bases,
    buyable,
    most_tokens,
)
from shared.rulesets.cote2.options import influence_price, recruit_chaos, special_taxes, tax_chaos
from shared.rulesets.cote2.property import army_supply, galley_supply, general_supply, influence_supply


class Bargain(Struct, frozen=True):
    """Draft with the fields of `Influence`."""

    space: Space = NONE
    sellers: tuple[Seat, ...] = ()

    def order(self) -> Influence:
        """Return the purchase as an action."""
        return Influence(self.space, self.sellers)

    def buy(self, seller: Seat, by: int) -> "Bargain":
        """Buy one token more of a seller, or one fewer if `by` is not positive."""
        sellers = list(self.sellers)
        if by > 0:
            sellers.append(seller)
        elif seller in sellers:
            sellers.remove(seller)
        return replace(self, sellers=tuple(sorted(sellers)))


GENERAL: Final = 3
"""Number of the fourth kind that is levied in a province, after the three arms."""


def following(spaces: Sequence[Space], space: Space) -> Space:
    """Return the space after `space`, or the first one; NONE if there is no choice."""
    if len(spaces) < 2:
        return NONE
    at = spaces.index(space) + 1 if space in spaces else 0
    return spaces[at % len(spaces)]


class Recruiting(FormDeed[Recruit]):
    """Recruiting of units in provinces with own influence and a leader, shown one province at a time."""

    verb = _("Recruit")
    strict = True

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, Recruit, first=Recruit(()))
        self._space = NONE
        self._zone = NONE
        """The sea next to the province for new galleys."""
        sites = self._bases()
        if len(sites) == 1:
            self._open(sites[0])

    def _bases(self) -> list[Space]:
        return bases(self.table, self.desk.seat)

    def _open(self, space: Space) -> bool:
        """Show another province, and the first sea next to it."""
        self._space, self._zone = space, next(iter(SEAS[space]), NONE)
        self.desk.changed()
        return True

    def line(self) -> str:
        cost, money = self.cost, self.form.purse
        if self._space == NONE:
            return _("Click a lit province: there you have influence and a leader.")
        price = (
            _(
                "{cost} of {money} talents, and {recruit_chaos} chaos",
                cost=cost,
                money=money,
                recruit_chaos=recruit_chaos(self.table),
            )
            if cost
            else _("{money} talents to spend", money=money)
        )
        return f"{BOARD.names[self._space]}: {price}."

    def _galleys(self, zone: Space) -> Cell:
        """Return the number of galleys in a sea zone; the form leaves it out where none can be paid."""
        fleets = self.form.fields[1]
        # Shown all the same, with the reason why none can be had.
        none = Cell(fleets, 0, (zone,), zone, price=self.form.prices[-1])
        return next((cell for cell in self.cells if cell.field == fleets and cell.place == zone), none)

    def _shown(self) -> list[Cell]:
        """Return the numbers for the province and the sea that are shown."""
        land = [cell for cell in self.cells if cell.field.name == "armies" and cell.place == self._space]
        return [*land, self._galleys(self._zone)] if self._zone != NONE else land

    def look(self, cell: Cell) -> Look:
        table, seat, price = self.table, self.desk.seat, cell.price
        closed = self.why_no_more(cell)
        what = closed or _("Click for one more.")
        if cell.field.name == "fleets":
            left = len(galley_supply(table, seat)) - sum(number for _zone, number in self.draft.fleets)
            tip = _(
                "A galley on {name}, {prices} talents. {what}", name=BOARD.names[cell.place], prices=price, what=what
            )
            return Look(unit_picture(GALLEY, seat), _("Galley {prices}", prices=price), tip, left, closed)
        good, general = cell.column, cell.column == GENERAL
        name = _("General") if general else kind_name(good)
        supply = (*army_supply(table, seat), len(general_supply(table, seat)))
        left = supply[good] - sum(row[1 + good] for row in self.draft.armies)
        tip = _("{name}, {price} talents. {what}", name=name, price=price, what=what)
        return Look(f"general_{seat}" if general else unit_picture(good, seat), f"{name} {price}", tip, left, closed)

    def build(self, action_bar: ActionBar) -> None:
        if self._space == NONE:
            action_bar.note(
                _(
                    "One action of recruiting brings {recruit_chaos} chaos, however many units you take, in one "
                    "province or in several.",
                    recruit_chaos=recruit_chaos(self.table),
                )
            )
            return
        width = action_bar.room_for(6, self.width)
        for cell in self._shown():
            self.show(action_bar, cell, self.look(cell), width)
        if len(SEAS[self._space]) > 1:
            name = BOARD.names[self._zone]
            tip = _("New galleys go to {name}. Click a lit sea zone, or here for the next one.", name=name)
            picture = unit_picture(GALLEY, self.desk.seat)
            action_bar.figure(picture, sea_name(self._zone), True, self._next_sea, width=width, tip=tip)

    def _next_sea(self) -> None:
        self._zone = following(SEAS[self._space], self._zone)
        self.desk.changed()

    def buttons(self) -> Sequence[BarButton]:
        words = _("Recruit for {cost}", cost=self.cost) if self.cost else self.verb
        return (BarButton(words, self.confirm, "primary", told(Command.CONFIRM), self.action() is not None),)

    def lit(self) -> Mapping[Space, Tint]:
        lit = dict.fromkeys([*self._bases(), *(SEAS[self._space] if self._space != NONE else ())], GO)
        return {**lit, **{space: HERE for space in (self._space, self._zone) if space != NONE}}

    def ghosts(self) -> Sequence[Token]:
        new = [zone for zone, _ in self.draft.fleets]
        free = {space: tint for space, tint in self.lit().items() if space not in new}
        return [*signs(self.desk.table, free), *berths(new, self.desk.seat)]

    def click(self, hit: Hit) -> bool:
        space = spot(hit)
        if space in self._bases():
            return self._open(space)
        if 0 <= space < BOARD.provinces:
            # The smallest order will do for the rules' reason.
            return self.explain(Recruit(((space, 1, 0, 0, 0),)))
        if space != NONE and self._space != NONE and space in SEAS[self._space]:
            self._zone = space
            self.change(self._galleys(space), 1)
            return True
        return False

    def action(self) -> Recruit | None:
        return self.draft if self.cost else None

    def undo(self) -> bool:
        """Undo one step, and show where; at last put the province down."""
        before = self.draft
        if self.steps.undo():
            # The step may have been made in another province than the one that is shown.
            places = [cell.place for cell in self.cells if cell.count(before) != self.count(cell)]
            self._find(places[0])
        elif self._space != NONE and len(self._bases()) > 1:
            self._space = self._zone = NONE
        else:
            return False
        self.desk.changed()
        return True

    def _find(self, place: Space) -> None:
        """Show a province, or a sea with a province beside it."""
        if place < BOARD.provinces:
            self._open(place)
            return
        if self._space == NONE or place not in SEAS[self._space]:
            self._space = next(space for space in self._bases() if place in SEAS[space])
        self._zone = place

    def next(self) -> bool:
        space = following(self._bases(), self._space)
        if space == NONE:
            return False
        self.desk.look_at([space])
        return self._open(space)


class Canvassing(DraftedDeed[Bargain]):
    """Purchase of influence in a key province."""

    verb = _("Buy influence")

    def __init__(self, desk: Desk, space: Space = NONE) -> None:
        super().__init__(desk, Bargain())
        markets = self._buyable_provinces()
        if space in markets or len(markets) == 1:
            self.begin(self._offer(space if space in markets else markets[0]))

    def _buyable_provinces(self) -> list[Space]:
        table, seat = self.table, self.desk.seat
        return [s for s in KEYS if most_tokens(table, seat, s) and buyable(table, seat, s)]

    @property
    def _cost(self) -> int:
        """Price of the tokens."""
        return influence_price(self.table) * len(self.draft.sellers)

    def _offer(self, space: Space) -> Bargain:
        """Return an offer for the first token available, from the bank if it has one."""
        offer = Bargain(space, (buyable(self.table, self.desk.seat, space)[0],))
        return offer if self.desk.check(offer.order()) is None else Bargain(space)

    def line(self) -> str:
        draft, table, seat = self.draft, self.table, self.desk.seat
        if draft.space == NONE:
            return _("Click a lit key province: a leader of yours is there, and tokens are for sale.")
        most = most_tokens(table, seat, draft.space)
        limit = _("your Caesar buys up to two") if most == 2 else _("a general buys one")
        cost = (
            _("{cost} of {talents} talents", cost=self._cost, talents=table.talents[seat])
            if draft.sellers
            else _("whose token do you buy?")
        )
        return f"{BOARD.names[draft.space]}: {cost} ({limit})."

    def build(self, action_bar: ActionBar) -> None:
        draft, table, seat = self.draft, self.table, self.desk.seat
        if draft.space == NONE:
            action_bar.note(
                _(
                    "A token costs {influence_price} talents, a province token as well as another player's. Units "
                    "protect the tokens of their owner.",
                    influence_price=influence_price(self.table),
                )
            )
            return
        offered = buyable(table, seat, draft.space)
        sellers = sorted(set(offered))
        width = action_bar.room_for(len(sellers), 116)
        for seller in sellers:
            name = _("Province") if seller == NONE else self.desk.who(seller)
            why = self.why_not(draft.buy(seller, 1).order())
            action_bar.stepper(
                "coin10" if seller == NONE else f"marker_{seller}",
                draft.sellers.count(seller),
                f"{name}: {offered.count(seller)}",
                partial(self._change_purchase, seller),
                more=not why,
                width=width,
                tip=(_("A province token.") if seller == NONE else _("A token of {name}, who loses it.", name=name))
                + f" {why or _('Click to buy one.')}",
            )
        left = ngettext("{n} token", "{n} tokens", influence_supply(table, seat))
        remark(
            action_bar,
            _(
                "You have {left} left to place. Tokens of other players are for sale only where no units guard them.",
                left=left,
            ),
        )

    def buttons(self) -> Sequence[BarButton]:
        words = _("Buy for {cost}", cost=self._cost) if self.draft.sellers else self.verb
        return (BarButton(words, self.confirm, "primary", told(Command.CONFIRM), self.action() is not None),)

    def lit(self) -> Mapping[Space, Tint]:
        return {space: HERE if space == self.draft.space else GO for space in self._buyable_provinces()}

    def click(self, hit: Hit) -> bool:
        space = spot(hit)
        if not 0 <= space < BOARD.provinces:
            return False
        if space == self.draft.space:
            # A province that was only suggested needs a choice before a click buys there.
            return self.steps.fresh or self.confirm()
        if space in self._buyable_provinces():
            return self.put(self._offer(space))
        if space in KEY_SET and most_tokens(self.table, self.desk.seat, space):
            self.desk.toast(_("No token is for sale in {place}.", place=BOARD.names[space]), "bad")
            return True
        # The simplest purchase will do for the rules' reason.
        return self.explain(Influence(space, (NONE,)))

    def _change_purchase(self, seller: Seat, by: int) -> None:
        """Buy one token more or fewer. A token too many replaces the one chosen first, or is refused with a reason."""
        draft = self.draft.buy(seller, by)
        if by > 0 and self.desk.check(draft.order()) is not None and self.draft.sellers:
            swapped = Bargain(draft.space, self.draft.sellers[1:]).buy(seller, by)
            draft = swapped if self.desk.check(swapped.order()) is None else draft
        if by > 0 and self.desk.check(draft.order()) is not None:
            self.explain(draft.order())
        else:
            self.put(draft)

    def action(self) -> Action | None:
        return self.draft.order() if self.draft.sellers else None

    def next(self) -> bool:
        space = following(self._buyable_provinces(), self.draft.space)
        if space == NONE:
            return False
        self.desk.look_at([space])
        return self.put(self._offer(space))


class Taxing(DraftedDeed[int]):
    """Choice of the talents that a special tax brings, at the price of chaos."""

    verb = _("Raise the tax")

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, special_taxes(desk.table)[0])

    def line(self) -> str:
        talents, chaos = self.draft, tax_chaos(self.table, self.draft)
        return _(
            "{talents} talents now, for {chaos} chaos. The players with most chaos lose points.",
            talents=talents,
            chaos=chaos,
        )

    def build(self, action_bar: ActionBar) -> None:
        sums = special_taxes(self.table)
        for talents in sums:
            action_bar.figure(
                "coin10" if talents > sums[0] else "coin5",
                _("{talents} for {what} chaos", talents=talents, what=tax_chaos(self.table, talents)),
                talents == self.draft,
                partial(self._choose, talents),
                width=action_bar.room_for(1, 108),
                tip=_("A second click raises it."),
            )

    def _choose(self, talents: int) -> bool:
        return self.confirm() if talents == self.draft else self.put(talents)

    def next(self) -> bool:
        sums = special_taxes(self.table)
        return self.put(sums[(sums.index(self.draft) + 1) % len(sums)])

    def action(self) -> Action | None:
        return Levy(self.draft)
