"""Actions of 1984: labels, forms and typed commands."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from shared.actions import conquest, examples, typed
from shared.actions.action import ActionDescription, GameActions
from shared.actions.conquest import BARGAIN, CAPTIVES, LOSSES, galley_words, leader_names, terms_words
from shared.actions.description import Filter, Form, Label
from shared.actions.examples import first, form
from shared.actions.grammar import Phrase, PhrasePart
from shared.board import BOARD
from shared.ids import CATAPULT, CAVALRY, GALLEY, INFANTRY, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Frame
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Person, Sentence, _, pgettext
from shared.mechanics import prisoners
from shared.mechanics.aimed_shots import NO_ROLL, needed_roll
from shared.mechanics.pieces import living
from shared.rulesets.conquest.pieces import legion_limit
from shared.rulesets.mb1984 import actions as a
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.diplomacy import PHASES, proposal_of
from shared.rulesets.mb1984.economy import cost, stock
from shared.rulesets.mb1984.frames import Aiming, CargoLoss, Combat, Placement
from shared.rulesets.mb1984.galleys import boardable, can_board, check_sail
from shared.rulesets.mb1984.legions import check_march, road_trip
from shared.rulesets.mb1984.options import GALLEY_LEADERS, prices, steps, wall_worth
from shared.rulesets.mb1984.table import LEADERS, TableFields
from shared.sentences.mb1984 import TARGETS, number_words

_RULES: Final[AnyRuleset] = MB1984
CHECK: Final = partial(engine.check, _RULES)
AIM: Final = pgettext("heading", "Target")
_PROPOSER: Final = (PhrasePart("", ("proposer",), typed.PLAYER),)

MOVES: Final = conquest.Moves(
    check_march=check_march,
    check_sail=check_sail,
    march=a.March,
    steps=steps,
    road_trip=road_trip,
    can_board=can_board,
    boardable=boardable,
)

# --- battles and purchases ---


def _aim(table: TableFields, seat: Seat, aim: a.Aim) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Aiming)
    target = _target(table, seat, aim)
    number = needed_roll(aim.kind, frame.space >= BOARD.provinces, frame.ahead)
    if number == NO_ROLL:
        text = _("Destroy {target} without a roll", target=target)
    else:
        text = _("Fire at {target}, needing {number}", target=target, number=number_words(number))
    return Label(text, AIM, to=frame.space, piece=aim.galley)


def _target(table: TableFields, seat: Seat, aim: a.Aim) -> Sentence:
    if aim.galley == NONE:
        return TARGETS[aim.kind]
    galley = galley_words(table, seat, aim.galley)
    return galley if aim.kind == GALLEY else _("{target} on {galley}", target=TARGETS[aim.kind], galley=galley)


def _lose(table: TableFields, seat: Seat, lose: a.Lose) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, CargoLoss)
    text = _("Lose {target} from {galley}", target=TARGETS[frame.kind], galley=galley_words(table, seat, lose.galley))
    return Label(text, LOSSES, to=frame.space, piece=lose.galley)


def _uses(table: TableFields) -> tuple[Sentence, ...]:
    """Return what each ware is good for, in a line."""
    alone = table.options[GALLEY_LEADERS]
    return (
        _("Cheap to lose: falls to a die of {n} or more.", n=needed_roll(INFANTRY, False, 0)),
        _("Marches two steps a turn; on land it falls to a die of {n} or more.", n=needed_roll(CAVALRY, False, 0)),
        _("Adds 1 to your advantage in battle; falls to a die of {n} only.", n=needed_roll(CATAPULT, False, 0)),
        _("Carries {n} units and one leader.", n=legion_limit(table)) if alone
        else _("Carries {n} units and any number of leaders.", n=legion_limit(table)),
        conquest.city_use(table),
        _("Adds {n} to the advantage of the city's defender.", n=wall_worth(table)),
    )  # fmt: skip


# --- bargains and prisoners ---


def _propose(table: TableFields, seat: Seat, propose: a.Propose) -> Label:
    if propose.to == NONE:
        return Label(_("Take the proposal back"), BARGAIN)
    bargain = terms_words(table, seat, propose)
    return Label(_("Propose to {who}: {bargain}", who=Person(propose.to), bargain=bargain), BARGAIN)


def _reply(table: TableFields, seat: Seat, reply: a.Reply) -> Label:
    who = Person(reply.proposer)
    proposed = conquest.turned(proposal_of(table.proposals[reply.proposer]), reply.proposer)
    bargain = terms_words(table, seat, proposed)
    if reply.accept:
        return Label(_("Accept what {who} proposes: {bargain}", who=who, bargain=bargain), BARGAIN, grave=True)
    return Label(_("Decline what {who} proposes: {bargain}", who=who, bargain=bargain), BARGAIN)


def _others(table: TableFields, _seat: Seat) -> Iterable[Seat]:
    return living(table)


def _taking_back(table: TableFields, seat: Seat) -> list[Form]:
    """Return the form that takes a proposal back."""
    found = [a.Propose(NONE)] if table.proposals[seat] else []
    fields = [
        examples.one(found, "to", "", conquest.person_choice),
        examples.number(found, "pays", ""),
        examples.several(found, "gives", "", conquest.person_choice),
        examples.number(found, "wants", ""),
        examples.several(found, "takes", "", conquest.person_choice),
    ]
    return form(first(found), _("Take the proposal back"), BARGAIN, fields)


def _execute(table: TableFields, seat: Seat, execute: a.Execute) -> Label:
    names = leader_names(seat, execute.kill, table.leaders_each)
    return Label(_("Execute {captives}", captives=names), CAPTIVES, grave=True)


def _execute_forms(table: TableFields, _frame: Frame, seat: Seat, query: Filter) -> list[Form]:
    held = prisoners.prisoners_of(table, seat, LEADERS) if query.meets() else ()
    mortal = [leader for leader in held if CHECK(table, seat, a.Execute((leader,))) is None]
    found = [a.Execute(party) for party in examples.parties(mortal)]
    fields = [conquest.leaders_field(table, seat, found, "kill", _("Kill"))]
    return form(first(found), _("Execute prisoners"), CAPTIVES, fields)


MB1984_ACTIONS: Final = GameActions(MB1984, (
    conquest.march(MOVES, conquest.march_label),
    conquest.sail(MOVES),
    ActionDescription(
        a.Aim,
        _aim,
        (Phrase("fire", _("At what you fire."), (PhrasePart("at", ("kind", "galley"), typed.TARGET),)),),
        (Aiming,),
    ),
    ActionDescription(
        a.Lose,
        _lose,
        (Phrase("lose", _("Which galley loses the unit that was hit."),
                (PhrasePart("from", ("galley",), typed.GALLEY),)),),
        (CargoLoss,),
    ),
    conquest.retreat(_("Leave the battle.")),
    conquest.buy(MB1984, a.Buy, prices, cost, stock, _uses),
    conquest.bargain(
        a.Propose,
        _propose,
        (
            Phrase("take back proposal", _("Nothing is proposed any more."), fixed={"to": NONE}),
            conquest.terms("propose", _("In another player's turn: propose a bargain to them.")),
        ),
        (),
        _others,
        CHECK,
        _taking_back,
    ),
    ActionDescription(
        a.Reply,
        _reply,
        (
            Phrase("agree", _("Accept what was proposed to you, in your turn."), _PROPOSER, {"accept": True}),
            Phrase("refuse", _("Decline what was proposed to you, in your turn."), _PROPOSER, {"accept": False}),
        ),
        PHASES,
    ),
    ActionDescription(
        a.Execute,
        _execute,
        (Phrase("execute", _("Prisoners of an earlier turn die."), (PhrasePart("", ("kill",), typed.LEADERS),)),),
        forms=_execute_forms,
    ),
    *conquest.common(
        CHECK,
        Combat,
        Placement,
        conquest.stand(_("Fire again")),
        conquest.offer(PHASES, _others, CHECK),
    ),
))  # fmt: skip
