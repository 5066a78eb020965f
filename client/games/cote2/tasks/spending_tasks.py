"""Actions about money: recruiting, buying influence, special tax."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.task_base import DraftedDeed, kind_name, remark, sea_name, spot, unit_picture
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.ground import Tint
from client.table.pieces import Token
from client.table.task import GO, HERE, Hit, berths, signs
from shared.board import BOARD
from shared.ids import GALLEY, NONE, Seat, Space
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Influence, Levy, Recruit
from shared.rulesets.cote2.data import KEY_SET, KEYS, SEAS
from shared.rulesets.cote2.economy import (
    INFLUENCE_PRICE,
    PRICES,
    RECRUIT_CHAOS,
    TAX_MOST,
    TAX_STEP,
    bases,
    buyable,
    most_tokens,
)
from shared.rulesets.cote2.property import army_supply, galley_supply, general_supply, influence_supply

_LEVY_PRICES = (*PRICES[:3], PRICES[4])
GALLEY_PRICE = PRICES[3]


class Recruits(Struct, frozen=True):
    """Draft with the fields of `Recruit`. `space`: the province shown; `zone`: the sea next to it for new galleys."""

    space: Space = NONE
    armies: tuple[tuple[Space, int, int, int, int], ...] = ()
    fleets: tuple[tuple[Space, int], ...] = ()
    zone: Space = NONE

    def order(self) -> Recruit:
        """Return the recruits as an action."""
        return Recruit(self.armies, self.fleets)

    @property
    def cost(self) -> int:
        """Price of all recruits."""
        land = sum(n * price for _, *counts in self.armies for n, price in zip(counts, _LEVY_PRICES, strict=True))
        return land + sum(n for _, n in self.fleets) * GALLEY_PRICE

    def levied(self, space: Space) -> tuple[int, int, int, int]:
        """Return infantry, cavalry, catapults and generals for a province."""
        return next((counts for at, *counts in self.armies if at == space), (0, 0, 0, 0))  # type: ignore[return-value]

    def galleys(self, zone: Space) -> int:
        """Return the number of galleys for a sea zone."""
        return next((n for at, n in self.fleets if at == zone), 0)

    def levy(self, good: int, by: int) -> "Recruits":
        """Levy `by` more (or fewer) infantry, cavalry, catapults or generals in the province that is shown."""
        counts = list(self.levied(self.space))
        counts[good] = max(0, counts[good] + by)
        others = [group for group in self.armies if group[0] != self.space]
        mine = [(self.space, counts[0], counts[1], counts[2], counts[3])] if any(counts) else []
        return replace(self, armies=tuple(sorted(others + mine)))

    def at(self, space: Space) -> "Recruits":
        """Show another province, and the first sea next to it."""
        return replace(self, space=space, zone=SEAS[space][0] if SEAS[space] else NONE)

    def next_sea(self) -> "Recruits":
        """Choose the province's next sea zone for new galleys."""
        zones = SEAS[self.space]
        return replace(self, zone=zones[(zones.index(self.zone) + 1) % len(zones)])

    def launch(self, zone: Space, by: int) -> "Recruits":
        """Build `by` more (or fewer) galleys in a sea zone."""
        count = max(0, self.galleys(zone) + by)
        others = [pair for pair in self.fleets if pair[0] != zone]
        return replace(self, fleets=tuple(sorted(others + ([(zone, count)] if count else []))), zone=zone)


class Bargain(Struct, frozen=True):
    """Draft with the fields of `Influence`."""

    space: Space = NONE
    sellers: tuple[Seat, ...] = ()

    def order(self) -> Influence:
        """Return the purchase as an action."""
        return Influence(self.space, self.sellers)

    @property
    def cost(self) -> int:
        """Price of the tokens."""
        return INFLUENCE_PRICE * len(self.sellers)

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


class Recruiting(DraftedDeed[Recruits]):
    """Recruiting of units in provinces with own influence and a leader."""

    verb = _("Recruit")

    def __init__(self, desk: Desk, space: Space = NONE) -> None:
        super().__init__(desk, Recruits())
        sites = self._bases()
        if space in sites or len(sites) == 1:
            self.begin(Recruits().at(space if space in sites else sites[0]))

    def _bases(self) -> list[Space]:
        return bases(self.table, self.desk.seat)

    def line(self) -> str:
        draft, money = self.draft, self.table.talents[self.desk.seat]
        if draft.space == NONE:
            return _("Click a lit province: there you have influence and a leader.")
        price = (
            _(
                "{cost} of {money} talents, and {recruit_chaos} chaos",
                cost=draft.cost,
                money=money,
                recruit_chaos=RECRUIT_CHAOS,
            )
            if draft.cost
            else _("{money} talents to spend", money=money)
        )
        return f"{BOARD.names[draft.space]}: {price}."

    def build(self, action_bar: ActionBar) -> None:
        space = self.draft.space
        if space == NONE:
            action_bar.note(
                _(
                    "One action of recruiting brings {recruit_chaos} chaos, however many units you take, in one "
                    "province or in several.",
                    recruit_chaos=RECRUIT_CHAOS,
                )
            )
            return
        table, seat = self.table, self.desk.seat
        width = action_bar.room_for(6, 96)
        supply = (*army_supply(table, seat), len(general_supply(table, seat)))
        for good, count in enumerate(self.draft.levied(space)):
            general = good == GENERAL
            name = _("General") if general else kind_name(good)
            price = PRICES[4 if general else good]
            bought = sum(group[1 + good] for group in self.draft.armies)
            why = self.why_not(self.draft.levy(good, 1).order())
            action_bar.stepper(
                f"general_{seat}" if general else unit_picture(good, seat),
                count,
                f"{name} {price}",
                partial(self._levy, good),
                more=not why,
                left=supply[good] - bought,
                width=width,
                tip=_("{name}, {price} talents. {what}", name=name, price=price, what=why or _("Click for one more.")),
            )
        if self.draft.zone != NONE:
            self._build_galleys(action_bar, self.draft.zone, width)

    def _build_galleys(self, action_bar: ActionBar, zone: Space, width: float) -> None:
        """Add the stepper for galleys, and the choice of the sea next to the province."""
        picture, name = unit_picture(GALLEY, self.desk.seat), BOARD.names[zone]
        why = self.why_not(self.draft.launch(zone, 1).order())
        action_bar.stepper(
            picture,
            self.draft.galleys(zone),
            _("Galley {prices}", prices=PRICES[GALLEY]),
            partial(self._launch, zone),
            more=not why,
            left=len(galley_supply(self.table, self.desk.seat)) - sum(n for _, n in self.draft.fleets),
            width=width,
            tip=_(
                "A galley on {name}, {prices} talents. {what}",
                name=name,
                prices=PRICES[GALLEY],
                what=why or _("Click for one more."),
            ),
        )
        if len(SEAS[self.draft.space]) > 1:
            tip = _("New galleys go to {name}. Click a lit sea zone, or here for the next one.", name=name)
            action_bar.figure(picture, sea_name(zone), True, self._next_sea, width=width, tip=tip)

    def _next_sea(self) -> bool:
        return self.put(self.draft.next_sea())

    def buttons(self) -> Sequence[BarButton]:
        words = _("Recruit for {cost}", cost=self.draft.cost) if self.draft.cost else self.verb
        return (BarButton(words, self.confirm, "primary", told(Command.CONFIRM), self.action() is not None),)

    def lit(self) -> Mapping[Space, Tint]:
        draft = self.draft
        lit = dict.fromkeys([*self._bases(), *(SEAS[draft.space] if draft.space != NONE else ())], GO)
        return {**lit, **{space: HERE for space in (draft.space, draft.zone) if space != NONE}}

    def ghosts(self) -> Sequence[Token]:
        new = [zone for zone, _ in self.draft.fleets]
        free = {space: tint for space, tint in self.lit().items() if space not in new}
        return [*signs(self.desk.table, free), *berths(new, self.desk.seat)]

    def click(self, hit: Hit) -> bool:
        space = spot(hit)
        if space in self._bases():
            return self.put(self.draft.at(space))
        if 0 <= space < BOARD.provinces:
            return self.explain(Recruit(((space, 1, 0, 0, 0),)))
        if space != NONE and self.draft.space != NONE and space in SEAS[self.draft.space]:
            self._launch(space, 1)
            return True
        return False

    def _levy(self, good: int, by: int) -> None:
        self._try(self.draft.levy(good, by), by)

    def _launch(self, zone: Space, by: int) -> None:
        self._try(self.draft.launch(zone, by), by)

    def _try(self, draft: Recruits, by: int) -> None:
        """Put the changed draft. If it asks for more than is legal, say why instead."""
        if by > 0 and self.desk.check(draft.order()) is not None:
            self.explain(draft.order())
        else:
            self.put(draft)

    def action(self) -> Action | None:
        return self.draft.order() if self.draft.cost else None

    def next(self) -> bool:
        space = following(self._bases(), self.draft.space)
        if space == NONE:
            return False
        self.desk.look_at([space])
        return self.put(self.draft.at(space))


class Canvassing(DraftedDeed[Bargain]):
    """Purchase of influence in a key province."""

    verb = _("Buy influence")

    def __init__(self, desk: Desk, space: Space = NONE) -> None:
        super().__init__(desk, Bargain())
        markets = self._markets()
        if space in markets or len(markets) == 1:
            self.begin(self._offer(space if space in markets else markets[0]))

    def _markets(self) -> list[Space]:
        table, seat = self.table, self.desk.seat
        return [s for s in KEYS if most_tokens(table, seat, s) and buyable(table, seat, s)]

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
            _("{cost} of {talents} talents", cost=draft.cost, talents=table.talents[seat])
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
                    influence_price=INFLUENCE_PRICE,
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
                partial(self._buy, seller),
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
        words = _("Buy for {cost}", cost=self.draft.cost) if self.draft.sellers else self.verb
        return (BarButton(words, self.confirm, "primary", told(Command.CONFIRM), self.action() is not None),)

    def lit(self) -> Mapping[Space, Tint]:
        return {space: HERE if space == self.draft.space else GO for space in self._markets()}

    def click(self, hit: Hit) -> bool:
        space = spot(hit)
        if not 0 <= space < BOARD.provinces:
            return False
        if space == self.draft.space:
            return self.steps.fresh or self.confirm()
        if space in self._markets():
            return self.put(self._offer(space))
        if space in KEY_SET and most_tokens(self.table, self.desk.seat, space):
            self.desk.toast(_("No token is for sale in {place}.", place=BOARD.names[space]), "bad")
            return True
        return self.explain(Influence(space, (NONE,)))

    def _buy(self, seller: Seat, by: int) -> None:
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
        space = following(self._markets(), self.draft.space)
        if space == NONE:
            return False
        self.desk.look_at([space])
        return self.put(self._offer(space))


class Taxing(DraftedDeed[int]):
    """Choice of the talents that a special tax brings, at the price of chaos."""

    verb = _("Raise the tax")

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, TAX_STEP)

    def line(self) -> str:
        talents, chaos = self.draft, self.draft // TAX_STEP
        return _(
            "{talents} talents now, for {chaos} chaos. The players with most chaos lose points.",
            talents=talents,
            chaos=chaos,
        )

    def build(self, action_bar: ActionBar) -> None:
        for talents in range(TAX_STEP, TAX_MOST + 1, TAX_STEP):
            action_bar.figure(
                "coin10" if talents > TAX_STEP else "coin5",
                _("{talents} for {what} chaos", talents=talents, what=talents // TAX_STEP),
                talents == self.draft,
                partial(self._choose, talents),
                width=action_bar.room_for(1, 108),
                tip=_("A second click raises it."),
            )

    def _choose(self, talents: int) -> bool:
        return self.confirm() if talents == self.draft else self.put(talents)

    def next(self) -> bool:
        return self.put(self.draft % TAX_MOST + TAX_STEP)

    def action(self) -> Action | None:
        return Levy(self.draft)
