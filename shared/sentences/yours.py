"""Variants of the sentences of events for the player they are about: "You buy 2 infantry" for "Livia buys 2 infantry".

A variant is a sentence of its own, because most languages change more than a word. The chronicle and the server choose
it by the reader's seat; `tests/test_yours.py` finds sentences that have none.
"""

from typing import Final

from msgspec import structs

from shared.ids import Seat
from shared.language.sentence import PLURAL, Listing, Person, Prompt, Sentence, Value, _, ngettext, pgettext

YOURS: Final[dict[tuple[str, str], Sentence]] = {
    ("{who} gets {talents} talents back for what could not be placed.", "who"): _(
        "You get {talents} talents back for what could not be placed."
    ),
    ("{who}'s wealth drives prices up: {since} everything costs {factor}.", "who"): _(
        "Your wealth drives prices up: {since} everything costs {factor}."
    ),
    ("{who}'s wealth drives prices up: from the next player's turn everything costs {factor}.", "who"): _(
        "Your wealth drives prices up: from the next player's turn everything costs {factor}."
    ),
    ("{who} takes back the last decision.", "who"): _("You take back your last decision."),
    ("{who} attacks {whom} on {place}!", "who"): _("You attack {whom} on {place}!"),
    ("{who} attacks {whom} on {place}!", "whom"): _("{who} attacks you on {place}!"),
    ("{who} attacks {whom} in {place}!", "who"): _("You attack {whom} in {place}!"),
    ("{who} attacks {whom} in {place}!", "whom"): _("{who} attacks you in {place}!"),
    # The number 0 below never shows: `to_reader` puts in the values of the original.
    (PLURAL.join(("{who} rolls {n} die: {hits}.", "{who} rolls {n} dice: {hits}.")), "who"): ngettext(
        "You roll {n} die: {hits}.", "You roll {n} dice: {hits}.", 0
    ),
    ("{who} would grant {who2} the victory.", "who"): _("You would grant {who2} the victory."),
    ("{who} would grant {who2} the victory.", "who2"): _("{who} would grant you the victory."),
    ("{who} fights on after all.", "who"): _("You fight on after all."),
    ("{who} loses {text} in {place}.", "who"): _("You lose {text} in {place}."),
    ("{who} falls back from {source} to {to}.", "who"): _("You fall back from {source} to {to}."),
    ("A galley of {who} sails to {where}{aboard}.", "who"): _("A galley of yours sails to {where}{aboard}."),
    ("{who} holds the field at {name}.", "who"): _("You hold the field at {name}."),
    ("{who} takes {name} from {who2}.", "who"): _("You take {name} from {who2}."),
    ("{who} takes {name} from {who2}.", "who2"): _("{who} takes {name} from you."),
    ("{who} loses {galleys} off {name}.", "who"): _("You lose {galleys} off {name}."),
    ("{who} has fallen, and everything goes to {who2}.", "who"): _("You have fallen, and everything goes to {who2}."),
    ("{who} has fallen, and everything goes to {who2}.", "who2"): _("{who} has fallen, and everything goes to you."),
    ("{who} offers {who2} a bargain: {bargain}.", "who"): _("You offer {who2} a bargain: {bargain}."),
    ("{who} offers {who2} a bargain: {bargain}.", "who2"): _("{who} offers you a bargain: {bargain}."),
    ("{who} rules the empire, {why}!", "who"): _("You rule the empire, {why}!"),
    ("{who} rules the empire, {reason}!", "who"): _("You rule the empire, {reason}!"),
    ("{who} lands in {where}{aboard}.", "who"): _("You land in {where}{aboard}."),
    ("{name} is now {who}'s.", "who"): _("{name} is now yours."),
    ("{who} has a new galley off {where}.", "who"): _("You have a new galley off {where}."),
    ("{who} leaves the game.", "who"): _("You leave the game."),
    ("Round {round}: the turn of {who}.", "who"): _("Round {round}: your turn."),
    ("Season {season}, round {number}: the turn of {who}.", "who"): _("Season {season}, round {number}: your turn."),
    ("{who} captures {leaders}.", "who"): _("You capture {leaders}."),
    ("{who} shows no mercy to {leaders}.", "who"): _("You show no mercy to {leaders}."),
    ("A general of {who} is free again, in {name}.", "who"): _("A general of yours is free again, in {name}."),
    ("{who} declines the bargain.", "who"): _("You decline the bargain."),
    ("{who} accepts the bargain.", "who"): _("You accept the bargain."),
    ("{who} collects {talents} talents of tribute.", "who"): _("You collect {talents} talents of tribute."),
    ("{who} razes the city in {name}.", "who"): _("You raze the city in {name}."),
    ("{who} buys {wares} for {cost} talents.", "who"): _("You buy {wares} for {cost} talents."),
    ("The first units of {who} stand in {camps}, the Caesar in {caesar}{galley}.", "who"): _(
        "Your first units stand in {camps}, your Caesar in {caesar}{galley}."
    ),
    ("{name} brings {who} {gain}.", "who"): _("{name} brings you {gain}."),
    ("{who} recruits for {talents} talents: {join}.", "who"): _("You recruit for {talents} talents: {join}."),
    ("{who} buys {tokens} in {place} from {sellers} for {talents} talents.", "who"): _(
        "You buy {tokens} in {place} from {sellers} for {talents} talents."
    ),
    ("{who} wins in {place}{chaos}.", "who"): _("You win in {place}{chaos}."),
    ("Bread and games calm the people: {who} sheds up to {gain} chaos.", "who"): _(
        "Bread and games calm the people: you shed up to {gain} chaos."
    ),
    ("; {who} gains {battle_chaos} chaos", "who"): _("; you gain {battle_chaos} chaos"),
    ("The lot falls on {who}, the first player.", "who"): _("The lot falls on you, the first player."),
    ("{who} begins with influence in {names}.", "who"): _("You begin with influence in {names}."),
    ("{who} opens an alliance auction.", "who"): _("You open an alliance auction."),
    ("{who} bids {talents}: {boxes}.", "who"): _("You bid {talents}: {boxes}."),
    ("{who} wins the auction for {talents} talents: {boxes}.", "who"): _(
        "You win the auction for {talents} talents: {boxes}."
    ),
    ("{who} passes.", "who"): _("You pass."),
    ("{who} takes {name}{price}.", "who"): _("You take {name}{price}."),
    ("{who} uses {name}{gain}.", "who"): _("You use {name}{gain}."),
    ("{who} builds a city in {place}.", "who"): _("You build a city in {place}."),
    ("{who} takes {who2}'s city in {place}.", "who"): _("You take {who2}'s city in {place}."),
    ("{who} takes {who2}'s city in {place}.", "who2"): _("{who} takes your city in {place}."),
    ("{who} receives {what} in {place}.", "who"): _("You receive {what} in {place}."),
    ("{who} gains {gain} in {place}.", "who"): _("You gain {gain} in {place}."),
    ("{who} raises a special tax: {talents} talents, and {what} chaos.", "who"): _(
        "You raise a special tax: {talents} talents, and {what} chaos."
    ),
    ("An assassin in the pay of {who} kills a general of {who2}.", "who"): _(
        "An assassin in your pay kills a general of {who2}."
    ),
    ("An assassin in the pay of {who} kills a general of {who2}.", "who2"): _(
        "An assassin in the pay of {who} kills a general of yours."
    ),
    ("A senator of {who} changes over to {who2}{which}.", "who"): _(
        "A senator of yours changes over to {who2}{which}."
    ),
    ("A senator of {who} changes over to {who2}{which}.", "who2"): _("A senator of {who} changes over to you{which}."),
    ("An assassin in the pay of {who} kills a senator of {who2}{which}.", "who"): _(
        "An assassin in your pay kills a senator of {who2}{which}."
    ),
    ("An assassin in the pay of {who} kills a senator of {who2}{which}.", "who2"): _(
        "An assassin in the pay of {who} kills a senator of yours{which}."
    ),
    ("{who} calls the senate to a vote. {partition}", "who"): _("You call the senate to a vote. {partition}"),
    ("{who} leads with {count}: {senators}.", "who"): _("You lead with {count}: {senators}."),
    ("{who} wins the vote and spends {senators}.", "who"): _("You win the vote and spend {senators}."),
    ("{who} leads in Italia and takes one of the spent senators{which}.", "who"): _(
        "You lead in Italia and take one of the spent senators{which}."
    ),
    ("{who} sends {galleys} to {to}.", "who"): _("You send {galleys} to {to}."),
    ("A Favorable Wind carries {who} away.", "who"): _("A Favorable Wind carries you away."),
    ("{who} brings {galleys} into the battle.", "who"): _("You bring {galleys} into the battle."),
    ("{who} lends {who2} {host}.", "who"): _("You lend {who2} {host}."),
    ("{who} lends {who2} {host}.", "who2"): _("{who} lends you {host}."),
    ("{who} loses {galleys}.", "who"): _("You lose {galleys}."),
    ("{who} stirs up a slave revolt in {place}!", "who"): _("You stir up a slave revolt in {place}!"),
    ("{who} fires at {target}, needing {number}.", "who"): _("You fire at {target}, needing {number}."),
    ("{who} destroys {target} without a roll.", "who"): _("You destroy {target} without a roll."),
    ("{who} rolls {number}: a miss.", "who"): _("You roll {number}: a miss."),
    ("{who} rolls {number}: a hit.", "who"): _("You roll {number}: a hit."),
    ("{who} takes the treasury of {who2}: {talents}.", "who"): _("You take the treasury of {who2}: {talents}."),
    ("{who} takes the treasury of {who2}: {talents}.", "who2"): _("{who} takes your treasury: {talents}."),
    ("{who} is given {talents} talents for the captured Caesar.", "who"): _(
        "You are given {talents} talents for the captured Caesar."
    ),
    ("{who} marches from {source} to {to}: {force}.", "who"): _("You march from {source} to {to}: {force}."),
    ("{who} takes the road from {source} to {to}: {force}.", "who"): _(
        "You take the road from {source} to {to}: {force}."
    ),
    ("{who} asks for a pause.", "who"): _("You ask for a pause."),
    ("{who} asks to go on.", "who"): _("You ask to go on."),
    ("{who} asks to go back. Dice that fell since then will be rolled again.", "who"): _(
        "You ask to go back. Dice that fell since then will be rolled again."
    ),
    ("{who} asks to go back: {moment}. Dice that fell since then will be rolled again.", "who"): _(
        "You ask to go back: {moment}. Dice that fell since then will be rolled again."
    ),
    ("{who} asks to end the match now and count.", "who"): _("You ask to end the match now and count."),
    ("{who} asks that {name} plays for {whom} from now on.", "who"): _(
        "You ask that {name} plays for {whom} from now on."
    ),
    ("{who} asks that {name} plays for {whom} from now on.", "whom"): _(
        "{who} asks that {name} plays for you from now on."
    ),
    ("{name} asks to play for {whom} from now on.", "whom"): _("{name} asks to play for you from now on."),
    ("{who} asks that a bot plays this turn for {whom}.", "who"): _("You ask that a bot plays this turn for {whom}."),
    ("{who} asks that a bot plays this turn for {whom}.", "whom"): _("{who} asks that a bot plays this turn for you."),
    ("{who} asks that a bot plays for {whom}.", "who"): _("You ask that a bot plays for {whom}."),
    ("{who} asks that a bot plays for {whom}.", "whom"): _("{who} asks that a bot plays for you."),
    ("{who} asks for more time for {whom}: {time}.", "who"): _("You ask for more time for {whom}: {time}."),
    ("{who} asks for more time for {whom}: {time}.", "whom"): _("{who} asks for more time for you: {time}."),
    ("You ask for more time for {whom}: {time}.", "whom"): _("You ask for more time for yourself: {time}."),
    ("{who} asks for other clocks: {pace}.", "who"): _("You ask for other clocks: {pace}."),
    ("before {who} attacks in {place}", "who"): _("before you attack in {place}"),
    ("to the turn of {who}", "who"): _("to your turn"),
    ("before the last decision: {who}", "who"): _("before your last decision"),
    ("{who} sails from {source} to {to}: {force}.", "who"): _("You sail from {source} to {to}: {force}."),
    (PLURAL.join(("{who} has won", "{who} have won")), "who"): _("You have won"),
    (PLURAL.join(("{who} leads with {n} vote", "{who} leads with {n} votes")), "who"): ngettext(
        "You lead with {n} vote", "You lead with {n} votes", 0
    ),
    ("{who} offers {talents} talents: {proposed}.", "who"): _("You offer {talents} talents: {proposed}."),
    # Parts of sentences
    ("{who} in {name}", "who"): _("you in {name}"),
    ("{who} in {box}", "who"): _("you in {box}"),
    ("{who} for {box}", "who"): _("you for {box}"),
    ("{who} {n}", "who"): _("you {n}"),
    ("{who} {n} ({points})", "who"): _("you {n} ({points})"),
    ("{who} {points}", "who"): _("you {points}"),
    ("{who} in box {box}", "who"): _("you in box {box}"),
    ("{seller}", "seller"): pgettext("buy from", "you"),
}
"""By template and gap of a sentence, its variant for the player in that gap."""


def to_reader(sentence: Sentence, reader: Seat) -> Sentence:
    """Return the sentence as the player on the seat `reader` reads it; unchanged if it is not about them."""
    key, values = sentence.key, {gap: _part(value, reader) for gap, value in sentence.values.items()}
    for gap, value in sentence.values.items():
        variant = YOURS.get((key, gap)) if value == Person(reader) else None
        if variant is not None:
            del values[gap]
            # Another gap can be about the same player: "You ask for more time for yourself".
            return to_reader(structs.replace(variant, values=values), reader)
    return structs.replace(sentence, values=values)


def _part(value: Value, reader: Seat) -> Value:
    """Return a part of a sentence for its reader. Players of a list without words of their own are "you" in it."""
    match value:
        case Sentence():
            return to_reader(value, reader)
        case Listing(parts):
            named = [_("you") if part == Person(reader) else _part(part, reader) for part in parts]
            return structs.replace(value, parts=tuple(named))
    return value


def prompt_to_reader(prompt: Prompt, reader: Seat) -> Prompt:
    """Return the decision owed as the player on the seat `reader` reads it."""
    how, hand, news = (_part(part, reader) for part in (prompt.how, prompt.hand, prompt.news))
    return Prompt(prompt.seat, to_reader(prompt.what, reader), how, hand, news)
