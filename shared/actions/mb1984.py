"""Labels and forms of the actions of 1984."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import astuple

from shared.actions import conquest, examples
from shared.actions.conquest import BARGAIN, CAPTIVES, LOSSES, buy_label, galley_words, leader_names, terms_words
from shared.actions.description import Filter, Form, Label
from shared.board import BOARD
from shared.ids import CATAPULT, CAVALRY, GALLEY, INFANTRY, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Person, Sentence, _, pgettext
from shared.mechanics import aimed_shots, prisoners
from shared.mechanics.aimed_shots import NO_ROLL, needed_roll
from shared.mechanics.pieces import living
from shared.rulesets.conquest.pieces import legion_limit
from shared.rulesets.mb1984 import actions as a
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.diplomacy import PHASES, STANDING, proposal_of
from shared.rulesets.mb1984.economy import cost, stock
from shared.rulesets.mb1984.frames import Aiming, CargoLoss
from shared.rulesets.mb1984.galleys import boardable, can_board, check_sail
from shared.rulesets.mb1984.legions import check_march, road_trip
from shared.rulesets.mb1984.options import GALLEY_LEADERS, prices, steps, wall_worth
from shared.rulesets.mb1984.table import LEADERS, TableFields
from shared.sentences.mb1984 import TARGETS, number_words
from shared.vocabulary.actions import Offer, Stand
from shared.vocabulary.frames import Captives, Movement, Onward, Purchase

_RULES: Final[AnyRuleset] = MB1984
AIM: Final = pgettext("heading", "Target")


def label(table: TableFields, seat: Seat, action: Action) -> Label:
    """Return the label of an action."""
    return _LABELS[type(action)](table, seat, action)


def _stand(table: TableFields, _seat: Seat, _action: Stand) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Onward)
    return Label(_("Fire again"), conquest.FIGHT, to=frame.space)


def _aim(table: TableFields, seat: Seat, aim: a.Aim) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Aiming)
    target = _target(table, seat, aim)
    number = aimed_shots.needed_roll(aim.kind, frame.space >= BOARD.provinces, frame.ahead)
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


def _buy(table: TableFields, _seat: Seat, buy: a.Buy) -> Label:
    counts = astuple(buy)
    return buy_label(counts, cost(table, counts))


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


def _execute(table: TableFields, seat: Seat, execute: a.Execute) -> Label:
    names = leader_names(seat, execute.kill, table.leaders_each)
    return Label(_("Execute {captives}", captives=names), CAPTIVES, grave=True)


_LABELS: Final[conquest.Labels] = {
    **conquest.LABELS,
    Stand: _stand,
    a.March: conquest.march_label,
    a.Aim: _aim,
    a.Lose: _lose,
    a.Buy: _buy,
    a.Propose: _propose,
    a.Reply: _reply,
    a.Execute: _execute,
}


# --- forms ---


def forms(table: TableFields, seat: Seat, wanted: Filter) -> Sequence[Form]:
    """Return the forms for kinds of actions within a filter which the options do not exhaust, or in a long list."""
    standing = _standing(table, seat, wanted)
    frame = table.frames[-1]
    if seat not in engine.owed(_RULES, table):
        return standing
    made = _FORMS.get(type(frame))
    found = made(table, frame, seat, wanted) if made else []
    return [*found, *_offers(table, frame, seat, wanted), *standing]


MOVES: Final = conquest.Moves(
    check_march=check_march,
    check_sail=check_sail,
    march=a.March,
    steps=steps,
    road_trip=road_trip,
    can_board=can_board,
    boardable=boardable,
)


def _movement(table: TableFields, _frame: Frame, seat: Seat, wanted: Filter) -> list[Form]:
    found = conquest.marches(table, seat, wanted, MOVES)
    fields = conquest.march_fields(table, seat, found)
    marches = examples.form(found, _("March"), conquest.MARCH, fields, conquest.fullest(found))
    return [*marches, *conquest.sail_form(table, seat, wanted, MOVES)]


def _purchase(table: TableFields, _frame: Purchase, seat: Seat, wanted: Filter) -> list[Form]:
    return conquest.buy_form(_RULES, table, seat, wanted, a.Buy, stock(table, seat), prices(table), _uses(table))


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


def _offers(table: TableFields, frame: Frame, seat: Seat, wanted: Filter) -> list[Form]:
    asked = isinstance(frame, PHASES) and examples.asks(wanted, Offer) and examples.meets(wanted)
    return conquest.bargain_forms(table, seat, Offer, living(table), partial(engine.check, _RULES)) if asked else []


def _standing(table: TableFields, seat: Seat, wanted: Filter) -> list[Form]:
    """Return forms for actions that answer no frame, if the filter names their kind."""
    found = conquest.standing_forms(table, seat, wanted, STANDING.check)
    if not examples.meets(wanted):
        return found
    if wanted.kind == a.Propose.__struct_config__.tag:
        return [
            *_taking_back(table, seat),
            *conquest.bargain_forms(table, seat, a.Propose, living(table), STANDING.check),
        ]
    return _executions(table, seat) if wanted.kind == a.Execute.__struct_config__.tag else found


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
    return examples.form(found, _("Take the proposal back"), BARGAIN, fields)


def _executions(table: TableFields, seat: Seat) -> list[Form]:
    held = prisoners.prisoners_of(table, seat, LEADERS)
    mortal = [leader for leader in held if STANDING.check(table, seat, a.Execute((leader,))) is None]
    found = [a.Execute(party) for party in examples.parties(mortal)]
    fields = [conquest.leaders_field(table, seat, found, "kill", _("Kill"))]
    return examples.form(found, _("Execute prisoners"), CAPTIVES, fields)


_FORMS: Final[Mapping[type[Frame], Callable[[TableFields, Any, Seat, Filter], list[Form]]]] = {
    Movement: _movement,
    Captives: conquest.judge_form,
    Purchase: _purchase,
}
