"""Actions of Conquest II: each with its label, its form and its typed commands."""

from collections.abc import Collection
from typing import Final

from shared.actions.action import ActionDescription, GameActions, plain
from shared.actions.cote2 import forms, groups, turn_forms, typed, unit_labels
from shared.actions.cote2.card_labels import label_campaign, label_incite, label_obtain, label_use
from shared.actions.description import Label
from shared.actions.grammar import Phrase, PhrasePart
from shared.actions.typed import (
    ARMS,
    GALLEYS,
    NUMBER,
    PERHAPS_LEADERS,
    PERHAPS_PLAYER,
    PLAYER,
    PROVINCE,
    TALENTS,
    UNITS,
    ZONE,
    perhaps,
    several,
    unsaid,
)
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Seat, Space
from shared.kernel.frames import Action
from shared.language.sentence import Person, Value, _, listing, ngettext
from shared.mechanics.vote import weight
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.definition import COTE2, extreme_actions
from shared.rulesets.cote2.frames import (
    Aid,
    Auction,
    Casualties,
    Commitment,
    Deployment,
    Muster,
    Turn,
    Vote,
    Wind,
    Withdrawal,
)
from shared.rulesets.cote2.options import influence_price, tax_chaos
from shared.rulesets.cote2.senate import NO_SENATORS
from shared.rulesets.cote2.state import LEADERS as EACH
from shared.rulesets.cote2.state import TableFields, leaders_at
from shared.sentences.common import leaders_words, talents_words
from shared.sentences.cote2 import host_words, sellers_words, senators_words, tokens_words
from shared.vocabulary.actions import Concede, EndTurn, Retreat, Stand
from shared.vocabulary.frames import Onward

# --- alliances ---


def _bid(_table: TableFields, _seat: Seat, action: a.Bid) -> Label:
    boxes = zip("AB", (action.a, action.b), strict=True)
    named = [_("{who} in box {box}", who=Person(who), box=box) for box, who in boxes if who != NONE]
    text = _("Bid {talents}: {boxes}", talents=talents_words(action.talents), boxes=listing(named))
    return Label(text, groups.ALLIANCES)


# --- the turn ---


def _influence(table: TableFields, _seat: Seat, action: a.Influence) -> Label:
    text = _(
        "Buy {tokens} in {place} from {sellers} for {talents} talents",
        tokens=tokens_words(len(action.sellers)),
        place=BOARD.names[action.space],
        sellers=sellers_words(action.sellers),
        talents=influence_price(table) * len(action.sellers),
    )
    return Label(text, groups.INFLUENCE, to=action.space)


def _levy(table: TableFields, _seat: Seat, action: a.Levy) -> Label:
    chaos = tax_chaos(table, action.talents)
    return Label(
        _("Raise a special tax: {talents} talents, and {what} chaos", talents=action.talents, what=chaos), groups.MONEY
    )


# --- battles ---


def _slip(table: TableFields, _seat: Seat, action: a.Slip) -> Label:
    frame = table.frames[-1]
    text = _("Slip away with your galleys") if action.away else _("Accept the battle")
    return Label(text, groups.BATTLE, to=frame.zone if isinstance(frame, Wind) else NONE)


def _withdraw(table: TableFields, seat: Seat, action: a.Withdraw) -> Label:
    source = _battlefield(table)
    leaders = leaders_at(table, seat, source)
    words = leaders_words(leaders, EACH)
    text = _("Lead {leaders} to {place}", leaders=words, place=BOARD.names[action.to])
    return Label(text, groups.BATTLE, source, action.to)


def _battlefield(table: TableFields) -> Space:
    """Return the province that units must leave, or where they fight."""
    frame = table.frames[-1]
    return frame.space if isinstance(frame, Onward | Withdrawal) else NONE


# --- the senate ---


def _show(table: TableFields, seat: Seat, action: a.Show) -> Label:
    frame = table.frames[-1]
    more = action.one, action.two, action.three, action.four
    votes = weight(frame.shown[seat] if isinstance(frame, Vote) else NO_SENATORS) + weight(more)
    count = ngettext("{n} vote", "{n} votes", votes)
    return Label(_("Show {senators}: {votes} in all", senators=senators_words(more), votes=count), groups.SENATE)


def _assemble(table: TableFields, _seat: Seat, action: a.Assemble) -> Label:
    frame = table.frames[-1]
    army = (frame.infantry, 0, 0) if isinstance(frame, Muster) else NO_ARMY
    units: Value = host_words(army, 0)
    text = _("Assemble {units} in {place}", units=units, place=BOARD.names[action.space])
    return Label(text, groups.SENATE, to=action.space)


# --- at any time ---


def _concede(_table: TableFields, _seat: Seat, action: Concede) -> Label:
    if action.to == NONE:
        return Label(_("Fight on after all"), groups.END)
    return Label(_("Grant {who} the victory", who=Person(action.to)), groups.END, grave=True)


# --- descriptions ---


def _unlisted(view: TableFields, seat: Seat) -> Collection[type[Action]]:
    """Return the kinds of actions that the options do not exhaust.

    Cards that are obtained have no form: options list them all, but for galleys of one zone, which are equal.
    """
    frame = view.frames[-1]
    if isinstance(frame, Turn) and not frame.left:
        return (a.Use,)
    return {type(action) for action in extreme_actions(view, seat)}


_IN_PROVINCE: Final = PhrasePart("in", ("space",), PROVINCE)
_TO_PROVINCE: Final = (PhrasePart("to", ("to",), PROVINCE),)
_WITH_GALLEYS: Final = PhrasePart("with", ("galleys",), unsaid(GALLEYS), needed=False)

COTE2_ACTIONS: Final = GameActions(COTE2, (
    ActionDescription(
        a.Bid,
        _bid,
        (Phrase("bid", _("Talents for an alliance, and whom you put into box A and box B."), (
            PhrasePart("", ("talents",), NUMBER),
            PhrasePart("a", ("a",), PERHAPS_PLAYER, needed=False),
            PhrasePart("b", ("b",), PERHAPS_PLAYER, needed=False),
        )),),
        (Auction,),
        forms.bid_form,
    ),
    ActionDescription(
        a.Pass,
        plain(_("Pass"), groups.END),
        (Phrase("pass", _("Pass: a bid, an action, a vote.")),),
        (Auction, Turn, Vote),
    ),
    ActionDescription(
        a.Deploy,
        unit_labels.label_deploy,
        (Phrase("deploy", _("Where your first units stand."), (
            PhrasePart("", ("armies",), typed.ARMIES),
            PhrasePart("caesar", ("caesar",), PROVINCE),
            PhrasePart("general", ("general",), PROVINCE),
            PhrasePart("galley", ("galley",), perhaps(ZONE), needed=False),
        )),),
        (Deployment,),
        forms.deploy_form,
    ),
    ActionDescription(
        a.Recruit,
        unit_labels.label_recruit,
        (Phrase("recruit", _("Units and generals in provinces, galleys in sea zones."),
                (PhrasePart("", ("armies", "fleets"), typed.RECRUITS),)),),
        (Turn,),
        turn_forms.recruit_form,
    ),
    ActionDescription(
        a.Obtain,
        label_obtain,
        (Phrase("take", _("Take an open card."), (PhrasePart("", ("card", "target"), typed.TAKING),)),),
        (Turn,),
    ),
    ActionDescription(
        a.Campaign,
        label_campaign,
        (Phrase("campaign", _("Take a Barbarians card and march four units there."), (
            PhrasePart("", ("card",), typed.CARD),
            PhrasePart("from", ("source",), PROVINCE),
            PhrasePart("with", ARMS, UNITS),
            PhrasePart("under", ("leaders",), PERHAPS_LEADERS, needed=False),
        )),),
        (Turn,),
        turn_forms.campaign_form,
    ),
    ActionDescription(
        a.Incite,
        label_incite,
        (Phrase("incite", _("Take the Slave Revolt: where, and against whom."),
                (_IN_PROVINCE, PhrasePart("against", ("victims",), unsaid(several(PLAYER)), needed=False))),),
        (Turn,),
        turn_forms.incite_form,
    ),
    ActionDescription(
        a.Influence,
        _influence,
        (Phrase("buy influence", _("One or two tokens of a province, each from the bank or a player."),
                (_IN_PROVINCE, PhrasePart("from", ("sellers",), typed.SELLERS))),),
        (Turn,),
        turn_forms.influence_form,
    ),
    ActionDescription(
        a.Levy,
        _levy,
        (Phrase("levy", _("A special tax; it brings chaos."), (PhrasePart("", ("talents",), NUMBER),)),),
        (Turn,),
    ),
    ActionDescription(
        a.Move,
        unit_labels.label_move,
        (Phrase("move", _("From one province, each to its own target; “all” are all that stand there."), (
            PhrasePart("", ("armies", "leaders"), typed.MOVES, late=True),
            PhrasePart("from", ("source",), PROVINCE),
        )),),
        (Turn,),
        turn_forms.move_form,
    ),
    ActionDescription(
        a.Attack,
        lambda _table, _seat, action: Label(
            _("Attack {who} in {place}", who=Person(action.enemy), place=BOARD.names[action.space]),
            groups.ATTACK,
            to=action.space,
        ),
        (Phrase("attack", _("A battle on land."), (PhrasePart("", ("enemy",), PLAYER), _IN_PROVINCE)),),
        (Turn,),
    ),
    ActionDescription(
        a.Sail,
        unit_labels.label_sail,
        (
            Phrase("engage", _("A battle at sea where galleys of yours lie already."),
                   (PhrasePart("", ("enemy",), PLAYER), PhrasePart("in", ("zone",), ZONE)),
                   {"to": NONE, "galleys": ()}),
            Phrase("sail", _("Galleys to one sea zone, and a battle there if you like."), (
                PhrasePart("", ("galleys",), GALLEYS),
                PhrasePart("to", ("to",), ZONE),
                PhrasePart("attacking", ("enemy",), PERHAPS_PLAYER, needed=False),
                PhrasePart("in", ("zone",), typed.FIGHT_ZONE, needed=False, late=True),
            )),
        ),
        (Turn,),
        turn_forms.sail_form,
    ),
    ActionDescription(
        a.Use,
        label_use,
        (Phrase("use", _("Use a card that lies before you."),
                (PhrasePart("", ("card", "leader", "seat"), typed.USING),)),),
        (Turn,),
        turn_forms.use_form,
    ),
    ActionDescription(
        EndTurn,
        plain(_("End your turn"), groups.END, grave=True),
        (Phrase("end turn", _("Your turn is over.")),),
        (Turn,),
    ),
    ActionDescription(
        a.Slip,
        _slip,
        (
            Phrase("slip away", _("Favorable Wind takes your galleys out of the battle."), fixed={"away": True}),
            Phrase("accept battle", _("Your galleys stay and fight."), fixed={"away": False}),
        ),
        (Wind,),
    ),
    ActionDescription(
        a.Commit,
        unit_labels.label_commit,
        (Phrase("commit", _("Galleys beside the province that join your battle."),
                (PhrasePart("", ("galleys",), typed.GALLEYS_OR_NOTHING),)),),
        (Commitment,),
        forms.commit_form,
    ),
    ActionDescription(
        a.Lend,
        unit_labels.label_lend,
        (Phrase("lend", _("What you lend your ally for the battle, or nothing."),
                (PhrasePart("", ARMS, UNITS), _WITH_GALLEYS)),),
        (Aid,),
        forms.lend_form,
    ),
    ActionDescription(
        a.Lose,
        unit_labels.label_lose,
        (Phrase("lose", _("Which units fall on your side, galleys too, and those of a diplomacy card."), (
            PhrasePart("", ("armies",), typed.LOSSES),
            _WITH_GALLEYS,
            PhrasePart("auxiliary", ("extra",), TALENTS, needed=False),
        )),),
        (Casualties,),
        forms.lose_form,
    ),
    ActionDescription(
        Stand,
        lambda table, _seat, _action: Label(_("Fight on"), groups.BATTLE, to=_battlefield(table)),
        (Phrase("stand", _("Fight another round.")),),
        (Onward,),
    ),
    ActionDescription(
        Retreat,
        lambda table, _seat, action: Label(
            _("Retreat to {place}", place=BOARD.names[action.to]), groups.BATTLE, _battlefield(table), action.to
        ),
        (Phrase("retreat", _("Leave the battle with all units."), _TO_PROVINCE),),
        (Onward,),
    ),
    ActionDescription(
        a.Withdraw,
        _withdraw,
        (Phrase("withdraw", _("Where your leaders without units go."), _TO_PROVINCE),),
        (Withdrawal,),
    ),
    ActionDescription(
        a.Show,
        _show,
        (Phrase("show", _("Further senators, by value."),
                (PhrasePart("", ("one", "two", "three", "four"), typed.SENATORS),)),),
        (Vote,),
        forms.show_form,
    ),
    ActionDescription(
        a.Assemble,
        _assemble,
        (Phrase("assemble", _("Where your new legions stand."), (_IN_PROVINCE,)),),
        (Muster,),
    ),
    ActionDescription(
        Concede,
        _concede,
        (
            Phrase("fight on", _("Take back that you conceded."), fixed={"to": NONE}),
            Phrase("concede", _("Agree that another player has won."), (PhrasePart("to", ("to",), PERHAPS_PLAYER),)),
        ),
    ),
), _unlisted)  # fmt: skip
