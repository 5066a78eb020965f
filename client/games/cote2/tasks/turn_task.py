"""A turn: eight kinds of actions, each with its own deed, and cards that cost no action."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.games.cote2.card_presentation import SHOWN
from client.games.cote2.game_desk import Desk
from client.games.cote2.sheets.card_names import title
from client.games.cote2.sheets.card_sheet import CardsSheet
from client.games.cote2.tasks.card_tasks import Browsing
from client.games.cote2.tasks.land_move_task import Marching
from client.games.cote2.tasks.naval_move_task import Sailing
from client.games.cote2.tasks.spending_tasks import Canvassing, Recruiting, Taxing
from client.games.cote2.tasks.task_base import Decision, Deed, OfferedAction, Picking, Shelf, spot
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext, say
from client.table.action_bar import ActionBar, BarButton
from client.table.geography import Point
from client.table.ground import Tint
from client.table.pieces import Pick, Token
from client.table.task import FIGHT, Hit
from shared.board import BOARD
from shared.ids import NONE, Space
from shared.kernel.frames import Action
from shared.language.sentence import Sentence
from shared.mechanics.armies import army_of, has_army
from shared.odds.attack import Threat
from shared.rulesets.cote2.actions import Attack, Move, Pass, Use
from shared.rulesets.cote2.combat_phase import dice
from shared.rulesets.cote2.data import CARDS, KEY_SET
from shared.rulesets.cote2.economy import influence_options, recruit_options
from shared.rulesets.cote2.effects import card_options, ways_to_obtain, ways_to_use
from shared.rulesets.cote2.frames import Battle, Turn
from shared.rulesets.cote2.joining import attack_options
from shared.rulesets.cote2.options import actions_each, special_taxes
from shared.rulesets.cote2.property import unused
from shared.rulesets.cote2.state import LEADERS, OFF, TableFields, galleys_at, led
from shared.rulesets.cote2.ways import fleets, landings, reach
from shared.sentences import closed_actions
from shared.vocabulary.actions import EndTurn

Possible = Callable[[TableFields, Turn, int], bool]


class ActionKind(Struct, frozen=True):
    """Kind of action: its picture (with a gap for the seat) and words, its effect, and why it can be closed.

    about: the effect; empty if it depends on the table.
    """

    name: str
    picture: str
    about: str
    closed: Callable[[TableFields, Turn, int], Sentence] | None
    possible: Possible


def _any(options: Callable[[TableFields, Turn, int], Iterable[Action]]) -> Possible:
    # The first one answers the question; listing all could take long.
    return lambda table, frame, seat: next(iter(options(table, frame, seat)), None) is not None


def _can_move(table: TableFields, _frame: Turn, seat: int) -> bool:
    own = {at for at in table.leader_at[seat * LEADERS : (seat + 1) * LEADERS] if at != OFF}
    return any(reach(table, seat, at) or landings(table, seat, at) for at in own)


def _can_sail(table: TableFields, _frame: Turn, seat: int) -> bool:
    return bool(fleets(table, seat))


def _is_always_possible(_table: TableFields, _frame: Turn, _seat: int) -> bool:
    return True


CARD, RECRUIT, INFLUENCE, TAX, MOVE, ATTACK, SAIL, PASS = range(8)
KINDS: Final = (
    ActionKind(
        _("Card"), "card", _("Take one of the open cards. Once in your turn."),
        closed_actions.card, _any(card_options),
    ),
    ActionKind(
        _("Recruit"), "infantry_{}", _("Buy units, generals and galleys where you have influence and a leader."),
        closed_actions.recruit, _any(recruit_options),
    ),
    ActionKind(
        _("Influence"), "marker_{}", _("Buy influence in a key province where a leader of yours is."),
        closed_actions.influence, _any(influence_options),
    ),
    ActionKind(
        _("Tax"), "coin10",
        "", None, _is_always_possible,
    ),
    ActionKind(
        _("Move"), "general_{}", _("Move units and leaders out of one province, as far as you like."),
        closed_actions.move, _can_move,
    ),
    ActionKind(
        _("Attack"), "sign_fight", _("Fight a land battle where your units and an enemy's stand together."),
        closed_actions.attack, _any(attack_options),
    ),
    ActionKind(
        _("Sail"), "galley_{}", _("Sail galleys to one sea zone, and fight a naval battle if you like."),
        closed_actions.sail, _can_sail,
    ),
    ActionKind(_("Pass"), "pass", _("Do without this action."), None, _is_always_possible),
)  # fmt: skip


def _name(card: int) -> str:
    return CARDS[card].name


def _on_offer(card: int) -> str:
    """Return a card and its price in words: ``"Army Training · 10"``."""
    return f"{title(card)[1]} · {CARDS[card].cost or 'free'}"


class TakingTurn(Decision):
    """Turn of a player: choice of an action, and use of cards. It meets `Shopping`."""

    def __init__(self, desk: Desk, frame: Turn) -> None:
        super().__init__(desk)
        self.deed: Deed | None = None
        self.card = NONE
        self._shelf = Shelf(self)
        self._read(frame)

    def _moment(self) -> tuple[object, ...]:
        """Return a value that changes with every action of this turn and every card used."""
        return self.table.frames[-1], self.table.used[self.desk.seat]

    def _read(self, frame: Turn) -> None:
        self._frame, self._since = frame, self._moment()
        self.end_words = _("Pass") if frame.left else _("End turn")

    def renew(self) -> None:
        frame = self.table.frames[-1]
        # What is begun stays unless this turn went on: the task is renewed for other reasons, too.
        if isinstance(frame, Turn) and self._moment() != self._since:
            self._read(frame)
            self.deed, self.card = None, NONE
            self.forget_question()

    def possible(self, kind: int) -> bool:
        """Whether any action of that kind is possible."""
        return bool(self._frame.left) and KINDS[kind].possible(self.table, self._frame, self.desk.seat)

    def why_closed(self, kind: int) -> str:
        """Return why no action of that kind is possible now."""
        closed = KINDS[kind].closed
        return say(closed(self.table, self._frame, self.desk.seat), self.desk.who) if closed is not None else ""

    def begin(self, deed: Deed | None, card: int = NONE) -> bool:
        """Begin a deed; None drops the one that was begun."""
        self.forget_question()
        self.deed, self.card = deed, card
        self.desk.lay(None)
        self.desk.changed()
        return True

    def choose(self, kind: int) -> bool:
        """Choose one of the eight kinds of actions."""
        if kind == PASS:
            return self.end()
        self.begin(self._deed(kind))
        if kind == CARD:
            # After `begin`, which closes every sheet.
            self.desk.lay(CardsSheet.key)
        return True

    def _deed(self, kind: int) -> Deed:
        makers: tuple[Callable[[Desk], Deed], ...] = (
            self._row, Recruiting, Canvassing, Taxing, Marching, self._battles, Sailing,
        )  # fmt: skip
        return makers[kind](self.desk)

    # Battles

    def _battles(self, desk: Desk) -> Picking:
        found = [self._battle(way) for way in attack_options(self.table, self._frame, desk.seat)]
        return Picking(desk, _("Attack!"), _("Whom do you attack? Click the enemy's units."), found)

    def _battle(self, way: Action) -> OfferedAction:
        assert isinstance(way, Attack)
        table, mine, enemy = self.table, self.desk.seat, way.enemy
        battle = Battle(0, way.space, mine, enemy)
        cell = table.units[way.space]
        counts = [_strength(sum(army_of(cell, seat)), dice(table, battle, seat)) for seat in (mine, enemy)]
        tip = _(
            "You: {mine}. {who}: {theirs}. Galleys and allies may join in.",
            mine=counts[0],
            who=self.desk.who(enemy),
            theirs=counts[1],
        )
        return OfferedAction(
            _("{who} in {place}", who=self.desk.who(enemy), place=BOARD.names[way.space]),
            way,
            way.space,
            enemy,
            FIGHT,
            tip,
        )

    # Cards (see `Shopping`)

    def _row(self, desk: Desk) -> Deed:
        row = [card for card, number in enumerate(self.table.row) if number]
        return Browsing(desk, _("Which card do you take?"), row, self.choose_card, self.why_not_card, _on_offer)

    def choose_card(self, card: int) -> None:
        """Choose a card of the row, to obtain it; NONE puts it back."""
        if card == NONE:
            self.begin(None)
        elif self.why_not_card(card):
            self.desk.toast(self.why_not_card(card), "bad")
        else:
            self.begin(SHOWN.of(card).taking.deed(self.desk, self._frame, card), card)

    def why_not_card(self, card: int) -> str:
        """Return why a card of the row cannot be taken now; empty if it can."""
        table, seat = self.table, self.desk.seat
        if self._frame.left and any(ways_to_obtain(table, self._frame, seat, card)):
            return ""
        return self.why_not(SHOWN.of(card).taking.plainly(table, seat, card))

    def choose_use(self, card: int) -> None:
        """Choose an own card, to use it. Show the reason if it cannot be used."""
        if self.why_not_use(card):
            self.desk.toast(self.why_not_use(card), "bad")
        else:
            self.begin(SHOWN.of(card).using(self.desk, self._frame, card), card)

    def why_not_use(self, card: int) -> str:
        """Return why an own card cannot be used now; empty if it can."""
        if any(ways_to_use(self.table, self.desk.seat, card)):
            return ""
        return self.why_not(Use(card)) or _("It would bring nothing.")

    def _own_cards(self) -> list[int]:
        """Return the own cards that can be used now."""
        return [card for card in unused(self.table, self.desk.seat) if not self.why_not_use(card)]

    def _use(self) -> bool:
        """Use the only usable card, or begin the choice among several."""
        own = self._own_cards()
        if len(own) == 1:
            self.choose_use(own[0])
            return True
        about = _("Which of your cards do you use? It costs no action.")
        return self.begin(Browsing(self.desk, about, own, self.choose_use, self.why_not_use, _name))

    # Display

    def _about(self, number: int) -> str:
        """Return the effect of an action."""
        if number != TAX:
            return KINDS[number].about
        sums = special_taxes(self.table)
        return _("A special tax: up to {most} talents, each {step} for 1 chaos.", most=sums[-1], step=sums.step)

    def line(self) -> str:
        if self.deed is not None:
            card = f"{CARDS[self.card].name} — " if self.card != NONE else ""
            return card + self.deed.line()
        if not self._frame.left:
            return _("Both actions are done. Use another of your cards, or end your turn.")
        return _(
            "Action {number} of {actions}: what do you do?",
            number=actions_each(self.table) + 1 - self._frame.left,
            actions=actions_each(self.table),
        )

    def build(self, action_bar: ActionBar) -> None:
        if self.deed is not None:
            self.deed.build(action_bar)
        elif self._frame.left:
            self._menu(action_bar)
        else:
            own = self._own_cards()
            choose = [BarButton(_name(c), partial(self.choose_use, c), "plain", _(CARDS[c].text)) for c in own]
            self._shelf.build(action_bar, choose)

    def _menu(self, action_bar: ActionBar) -> None:
        width = action_bar.room_for(len(KINDS) - 1, 92)
        for number, kind in enumerate(KINDS[:PASS]):  # Passing has its own button beside them.
            possible = self.possible(number)
            action_bar.figure(
                kind.picture.format(self.desk.seat),
                kind.name,
                False,
                partial(self.choose, number),
                width=width,
                tip=f"{self._about(number)} ({number + 1})" if possible else self.why_closed(number),
                enabled=possible,
            )

    def buttons(self) -> Sequence[BarButton]:
        if self.deed is not None:
            return (
                *self.deed.buttons(),
                BarButton(_("Back"), self.undo, "quiet", _("{key}, or the right mouse button", key=told(Command.BACK))),
            )
        found: list[BarButton] = []
        own = self._own_cards()
        if own and self._frame.left:
            words = _("Use a card") if len(own) == 1 else _("Use a card ({n})", n=len(own))
            tip = _("It costs no action: {cards}", cards=", ".join(map(_name, own)))
            found.append(BarButton(words, self._use, "plain", tip))
        found.append(self.end_choice())
        return found

    def threat(self) -> Threat | None:
        return self.deed.threat() if self.deed is not None else None

    def lit(self) -> Mapping[Space, Tint]:
        return self.deed.lit() if self.deed is not None else {}

    def glow(self) -> frozenset[Pick]:
        if self.deed is not None:
            return self.deed.glow()
        if not self._frame.left:
            return frozenset()
        table, seat = self.table, self.desk.seat
        own = range(seat * LEADERS, (seat + 1) * LEADERS)
        found = {Pick("leader", table.leader_at[x], seat, x) for x in own if table.leader_at[x] != OFF}
        ships = {Pick("galley", zone, seat, g) for zone in fleets(table, seat) for g in galleys_at(table, seat, zone)}
        return frozenset(found | ships)

    def ghosts(self) -> Sequence[Token]:
        return self.deed.ghosts() if self.deed is not None else ()

    def arrow(self) -> Sequence[Point]:
        return self.deed.arrow() if self.deed is not None else ()

    # Actions

    def click(self, hit: Hit) -> bool:
        if self.forget_question():
            self.desk.changed()
        if self.deed is not None and self.deed.click(hit):
            return True
        return self._short_cut(hit)

    def _short_cut(self, hit: Hit) -> bool:
        """Begin the deed that fits a clicked piece on the board."""
        pick, space, seat, table = hit.pick, spot(hit), self.desk.seat, self.table
        if not self._frame.left or space == NONE:
            return False
        if pick is not None and pick.kind == "galley" and pick.seat == seat:
            return self.begin(Sailing(self.desk, space))
        if space >= BOARD.provinces:
            return False
        foe = pick is not None and pick.kind in ("army", "leader") and pick.seat != seat
        if foe and pick is not None and self.desk.check(Attack(space, pick.seat)) is None:
            battles = self._battles(self.desk)
            return self.begin(battles) and (battles.way is not None or battles.click(hit))
        on_piece = pick is not None and pick.kind in ("army", "leader")
        if led(table, seat, space):
            # Beside the pieces a click means the province, on them it means the army.
            if space in KEY_SET and not on_piece and self.possible(INFLUENCE):
                return self.begin(Canvassing(self.desk, space))
            return self.begin(Marching(self.desk, space))
        if has_army(table.units[space], seat):
            return self.explain(Move(space, ()))
        march = Marching(self.desk)
        return len(march.senders(space)) == 1 and self.begin(march) and march.click(hit)

    def confirm(self) -> bool:
        return self.deed is not None and self.deed.confirm()

    def undo(self) -> bool:
        if self.deed is None:
            was_asking = self.forget_question()
            self.desk.changed()
            return was_asking
        return self.deed.undo() or self.begin(None)

    def clear(self) -> bool:
        return self.deed is not None and self.begin(None)

    def next(self) -> bool:
        if self.deed is not None:
            return self.deed.next()
        return self.choose(MOVE) if self.possible(MOVE) else False

    def ending(self) -> Action | None:
        return Pass() if self._frame.left else EndTurn()

    def end_choice(self) -> BarButton:
        choice = super().end_choice()
        return replace(choice, words=_("Really pass?")) if self._is_asking and self._frame.left else choice

    def hasty(self) -> bool:
        """Whether ending the turn would waste an action or a card."""
        return bool(self._frame.left) or bool(self._own_cards())


def _strength(units: int, rolled: int) -> str:
    """Return the strength of a side in words."""
    return _(
        "{units}, {dice}",
        units=ngettext("{n} unit", "{n} units", units),
        dice=ngettext("{n} die", "{n} dice", rolled),
    )
