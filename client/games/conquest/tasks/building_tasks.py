"""Homes, and the phases of money: razing cities, buying, placing, bargaining."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, Generic

from client.games.conquest.position_queries import T, dear, endangered
from client.games.conquest.rules_adapter import WARES, Market
from client.games.conquest.tasks.bargain_tasks import Bargaining
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Desk
from client.table.form_task import Cell, FormTask, Look, Steps
from client.table.ground import Tint
from client.table.pieces import Token
from client.table.task import FIGHT, GO, HERE, Hit, Task, berths, chosen_kind, signs
from client.table.words import talents_words
from shared.board import BOARD
from shared.ids import NONE, Space
from shared.kernel.frames import Action
from shared.mechanics.building import city_sites, own_cities, wall_sites
from shared.vocabulary.actions import (
    ChooseHome,
    EndDestruction,
    EndTurn,
    PlaceCity,
    PlaceFortification,
    PlaceGalley,
    PlaceRoad,
    Raze,
)

GALLEY, CITY, WALLS, ROAD = range(4)
_NAMES: Final = (_("Galley"), _("City"), _("Walls"), _("Road"))
_PLACES: Final = (
    _("Galley: click a coast of your home."),
    _("City: click a province of yours without a city."),
    _("Walls: click a city of yours without walls."),
)
_CLOSED: Final = (
    _("No coast of your home is yours now."),
    _("Each province of yours has a city."),
    _("Each city of yours has walls."),
    _("No two neighbouring cities of yours are without a road."),
)
"""Reasons why there is no site."""
_NOTHING: Final = (0, 0, 0, 0)
_PICTURES: Final = ("galley_{}", "city", "fortified", "road")


class ChoosingHome(Task[T], Generic[T]):
    """Choice of the home province, where the empire begins."""

    def __init__(self, desk: Desk[T], market: Market[T]) -> None:
        super().__init__(desk)
        self._market = market
        self._home = NONE

    def line(self) -> str:
        if self._home == NONE:
            return _("Choose your home.")
        return _("{home} becomes your home.", home=BOARD.names[self._home])

    def build(self, action_bar: ActionBar) -> None:
        for home in self._market.homes(self.desk.table):
            kind = chosen_kind(home == self._home)
            action_bar.option(BarButton(BOARD.names[home], partial(self._take, home), kind), 180)

    def buttons(self) -> Sequence[BarButton]:
        return (BarButton(_("Begin here"), self.confirm, "primary", told(Command.CONFIRM), self._home != NONE),)

    def lit(self) -> Mapping[Space, Tint]:
        return {home: HERE if home == self._home else GO for home in self._market.homes(self.desk.table)}

    def click(self, hit: Hit) -> bool:
        if hit.space not in self._market.homes(self.desk.table):
            return False
        if hit.space == self._home:
            return self.confirm()
        self._take(hit.space)
        return True

    def _take(self, home: Space) -> None:
        self._home = home
        self.desk.changed()

    def confirm(self) -> bool:
        return self._home != NONE and self.desk.act(ChooseHome(self._home))


class Razing(Task[T], Generic[T]):
    """Destruction of own cities."""

    end_words = _("Keep my cities")

    def __init__(self, desk: Desk[T], market: Market[T]) -> None:
        super().__init__(desk)
        self._market = market
        self._city = NONE

    def renew(self) -> None:
        self._city = NONE

    def line(self) -> str:
        if self._city == NONE:
            return _("Keep your cities, or click one to raze it.")
        return _("Raze {city}? Its walls and roads go too, and 5 tribute.", city=BOARD.names[self._city])

    def build(self, action_bar: ActionBar) -> None:
        action_bar.note(
            _(
                "A city pays 5 talents a turn and falls to the conqueror of its province. Raze only what you would "
                "lose to an enemy anyway."
            )
        )

    def buttons(self) -> Sequence[BarButton]:
        if self._city == NONE:
            return (
                BarButton(
                    self.end_words,
                    self.end,
                    "primary",
                    _("{key} or {other}", key=told(Command.END), other=told(Command.CONFIRM)),
                ),
            )
        return (
            BarButton(_("Raze it"), self.confirm, "danger", told(Command.CONFIRM)),
            BarButton(_("Back"), self.undo, "quiet", told(Command.BACK)),
        )

    def lit(self) -> Mapping[Space, Tint]:
        return {s: FIGHT if s == self._city else GO for s in self._cities()}

    def _cities(self) -> list[Space]:
        """Return the own cities that may be razed."""
        found = own_cities(self.desk.table, self.desk.seat)
        return [space for space in found if self.desk.check(Raze(space)) is None]

    def click(self, hit: Hit) -> bool:
        if hit.space not in self._cities():
            refusal = self.desk.check(Raze(hit.space)) if 0 <= hit.space < BOARD.provinces else None
            # Where there is no city, a click only drops the choice.
            if refusal is not None and self.desk.table.built[hit.space]:
                self.desk.refuse(refusal)
                self.undo()
                return True
            return self.undo()
        if hit.space == self._city:
            return self.confirm()
        self._city = hit.space
        self.desk.changed()
        return True

    def unasked(self) -> Action | None:
        """Return the phase's end if the question is pointless, else None.

        It is asked only if an enemy could soon take a city, or if fewer cities would keep prices down.
        """
        table, seat = self.desk.table, self.desk.seat
        cities = self._cities()
        worthwhile = any(endangered(table, seat, city) for city in cities) or (bool(cities) and dear(table, seat))
        return None if worthwhile else EndDestruction()

    def confirm(self) -> bool:
        return self.desk.act(EndDestruction() if self._city == NONE else Raze(self._city))

    def undo(self) -> bool:
        chosen, self._city = self._city != NONE, NONE
        self.desk.changed()
        return chosen

    def ending(self) -> Action | None:
        return EndDestruction()


class Buying(FormTask[T, Action], Generic[T]):
    """Purchase of the turn."""

    end_words = _("Buy")
    width = 98.0
    strict = True

    def __init__(self, desk: Desk[T], market: Market[T]) -> None:
        super().__init__(desk, market.buy)
        self.market = market

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of each good in the order, as the price list has them."""
        return tuple(map(self.count, self.cells))

    def line(self) -> str:
        table, money, cost = self.desk.table, self.form.purse, self.cost
        if table.inflation > 1:
            return _(
                "{money} talents. Your order: {cost}, leaving {left}. Prices ×{inflation}.",
                money=money,
                cost=cost,
                left=money - cost,
                inflation=table.inflation,
            )
        return _("{money} talents. Your order: {cost}, leaving {left}.", money=money, cost=cost, left=money - cost)

    def look(self, cell: Cell) -> Look:
        good, table, seat = self.cells.index(cell), self.desk.table, self.desk.seat
        picture, name = WARES[good]
        closed = self.why_no_more(cell)
        tip = _("{name}, {price}.", name=name, price=talents_words(cell.price))
        tip = f"{tip} {closed or _('Click for one more.')}"
        return Look(picture.format(seat), f"{name} {cell.price}", tip, self.market.stock(table, seat)[good], closed)

    def buttons(self) -> Sequence[BarButton]:
        cost = self.cost
        words = _("Buy for {cost}", cost=cost) if cost else _("Buy nothing")
        found = [BarButton(words, self.end, "primary" if cost else "plain", told(Command.CONFIRM))]
        if self._is_asking:
            found = [BarButton(_("Really buy nothing?"), self.end, "danger", _("{key} again", key=told(Command.END)))]
        if cost:
            found.append(BarButton(_("Clear"), self.undo, "quiet", told(Command.BACK)))
        else:
            found.append(BarButton(_("All infantry"), self._fill, "quiet", _("As much infantry as you can pay for")))
        return found

    def _fill(self) -> None:
        self.put(self.cells[0].counted(self.draft, self.cells[0].high))

    def hasty(self) -> bool:
        return self.cost == 0

    def confirm(self) -> bool:
        return self.end()

    def undo(self) -> bool:
        was_asking, bought = self.forget_question(), self.cost > 0
        self.steps = Steps(self.market.buy())
        self.desk.changed()
        return was_asking or bought

    def ending(self) -> Action | None:
        return self.draft


class Placing(Task[T], Generic[T]):
    """Placement of bought pieces, bargains for generals, and the end of the turn."""

    end_words = _("End turn")

    def __init__(self, desk: Desk[T], market: Market[T]) -> None:
        super().__init__(desk)
        self._market = market
        self._left = market.left(desk.table) or _NOTHING
        self._what = NONE
        self._from = NONE
        self.bargaining: Bargaining | None = None
        self._choose_next()

    def renew(self) -> None:
        left = self._market.left(self.desk.table)
        # None while an offer is answered: its frame lies above the placement.
        if left is not None:
            self._left = left
            self._from, self.bargaining = NONE, None
            self._choose_next()

    def _sites(self, what: int) -> list[Space]:
        """Return the positions for a kind of piece; for roads, first one end and then the other."""
        table, seat, market = self.desk.table, self.desk.seat, self._market
        if what == GALLEY:
            return market.galley_coasts(table, seat)
        if what == CITY:
            return city_sites(table, seat)
        if what == WALLS:
            return wall_sites(table, seat)
        pairs = market.road_sites(table, seat)
        if self._from == NONE:
            return sorted({end for pair in pairs for end in pair})
        return [b if a == self._from else a for a, b in pairs if self._from in (a, b)]

    def _choose_next(self) -> None:
        usable = [what for what in (CITY, WALLS, ROAD, GALLEY) if self._left[what] and self._sites(what)]
        if self._what not in usable:
            self._what = usable[0] if usable else NONE

    def line(self) -> str:
        if self.bargaining is not None:
            return self.bargaining.line()
        if self._what == NONE:
            return (
                _("Everything is placed.")
                if not any(self._left)
                else _("The rest cannot be placed: you get its price back.")
            )
        if self._what == ROAD:
            return (
                _("Click the city at the other end.")
                if self._from != NONE
                else _("A road: click one of the two cities.")
            )
        return _PLACES[self._what]

    def build(self, action_bar: ActionBar) -> None:
        if self.bargaining is not None:
            self.bargaining.build(action_bar)
            return
        for what, left in enumerate(self._left):
            if left:
                open_ = bool(self._sites(what))
                action_bar.figure(
                    _PICTURES[what].format(self.desk.seat),
                    _("{n} left", n=left),
                    what == self._what,
                    partial(self._choose, what),
                    width=84,
                    tip=_NAMES[what] if open_ else f"{_NAMES[what]}. {_CLOSED[what]}",
                    enabled=open_,
                )
        if self._market.bargains(self.desk.table):
            action_bar.gap()
            action_bar.option(
                BarButton(_("Bargain for generals"), self._bargain, "plain", _("Ransom or exchange captured generals"))
            )

    def buttons(self) -> Sequence[BarButton]:
        if self.bargaining is not None:
            return self.bargaining.buttons()
        return (self.end_choice(),) if self.ending() is not None else ()

    def lit(self) -> Mapping[Space, Tint]:
        if self._what == NONE:
            return {}
        lit = {BOARD.ashore[site]: GO for site in self._sites(self._what)}
        if self._from != NONE:
            lit[self._from] = HERE
        return lit

    def ghosts(self) -> Sequence[Token]:
        return (
            berths(self._sites(GALLEY), self.desk.seat) if self._what == GALLEY else signs(self.desk.table, self.lit())
        )

    def click(self, hit: Hit) -> bool:
        if self._what == NONE or self.bargaining is not None:
            return False
        sites = self._sites(self._what)
        if self._what == GALLEY:
            return self._launch_galley(hit, sites)
        if hit.space not in sites:
            return False
        if self._what == ROAD:
            if self._from == NONE:
                self._from = hit.space
                self.desk.changed()
                return True
            return self.desk.act(PlaceRoad(self._from, hit.space))
        return self.desk.act(PlaceCity(hit.space) if self._what == CITY else PlaceFortification(hit.space))

    def _launch_galley(self, hit: Hit, sites: list[int]) -> bool:
        if hit.pick is not None and hit.pick.kind == "galley" and hit.pick.place in sites:
            return self.desk.act(PlaceGalley(hit.pick.place))
        found = [to for to in sites if BOARD.ashore[to] == hit.space]
        if len(found) > 1:
            # The coasts belong to different seas, so a click inland says nothing about the one that is meant.
            self.desk.toast(_("{place} has several coasts: click the ship on the one that you want.",
                              place=BOARD.names[hit.space]))  # fmt: skip
            return True
        return bool(found) and self.desk.act(PlaceGalley(found[0]))

    def _choose(self, what: int) -> None:
        self._what, self._from = what, NONE
        self.desk.changed()

    def _bargain(self) -> None:
        self.bargaining = Bargaining(self.desk, self._end_bargain)
        self.desk.changed()

    def _end_bargain(self) -> None:
        self.bargaining = None
        self.desk.changed()

    def confirm(self) -> bool:
        if self.bargaining is not None:
            return self.bargaining.confirm()
        if self._what == NONE:
            return self.end()
        sites = self._sites(self._what)
        if len(sites) == 1 and self._what == GALLEY:
            return self.desk.act(PlaceGalley(sites[0]))
        return False

    def undo(self) -> bool:
        if self.bargaining is not None:
            self._end_bargain()
            return True
        chosen, self._from = self._from != NONE, NONE
        self.desk.changed()
        return self.forget_question() or chosen

    def next(self) -> bool:
        usable = [what for what in range(4) if self._left[what] and self._sites(what)]
        if usable:
            self._choose(usable[(usable.index(self._what) + 1) % len(usable)] if self._what in usable else usable[0])
        return bool(usable)

    def ending(self) -> Action | None:
        return EndTurn() if self.desk.check(EndTurn()) is None else None

    def hasty(self) -> bool:
        """Whether something could still be placed, such as a free road."""
        return self._what != NONE
