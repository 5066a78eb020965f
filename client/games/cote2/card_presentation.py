"""Table of all cards as a player meets them: what each shows, and what it asks when taken and used."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from client.games.cote2.tasks import card_tasks as deeds
from client.language import _, ngettext
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.rulesets.cote2.data import CARDS, ByAct
from shared.rulesets.cote2.state import TableFields

Words = Callable[[int], str]


class Taking(Struct, frozen=True):
    """The way to take a card.

    `deed(desk, frame, card)`: the decision that it asks for. `plainly(table, seat, card)`: the simplest way to take it.
    The rules' refusal of that action tells why the card cannot be taken.
    """

    deed: deeds.Deeds
    plainly: Callable[[TableFields, Seat, int], Action]


class Shown(Struct, frozen=True):
    """Card as a player meets it.

    `gist(card)`: its effect, at a glance. `picture(card)`: the name of its picture. `taking`: the way to take it when
    it lies open. `using(desk, frame, card)`: the decision that it asks for when the player owns it.
    """

    gist: Words
    picture: Words
    taking: Taking
    using: deeds.Deeds


# --- display ---


def _gain_words(words: str) -> Words:
    """Return words with the numbers of a card's effect filled in."""
    return lambda card: words.format(*CARDS[card].gain)


def _votes(card: int) -> str:
    return ngettext("{n} vote", "{n} votes", CARDS[card].gain[0])


def _host(card: int) -> str:
    names = ("inf", "cav", "cat", "gal")
    return ", ".join(f"{n} {name}" for n, name in zip(CARDS[card].gain, names, strict=True) if n)


def _reward_words(card: int) -> str:
    infantry, cavalry, talents, points = CARDS[card].gain
    if infantry:
        return _("{infantry} inf, {cavalry} cav", infantry=infantry, cavalry=cavalry)
    return f"{talents} talents" if talents else f"{points} points"


def _its_own(card: int) -> str:
    """Return the picture's name for cards with a picture each."""
    return CARDS[card].key


def _one_for_all(card: int) -> str:
    return CARDS[card].act


def _by_reward(card: int) -> str:
    _, _, talents, points = CARDS[card].gain
    return "barbarians_talents" if talents else "barbarians_points" if points else "barbarians_troops"


# --- the table ---

_KEPT: Final = Taking(deeds.picked(deeds.kept), deeds.untargeted)
_FLEET: Final = Taking(deeds.picked(deeds.flagship, _("click the galley that leads it.")), deeds.untargeted)
_CITY: Final = Taking(deeds.picked(deeds.city, _("where is the city built?")), deeds.first_site)
_BRIBE: Final = Taking(deeds.picked(deeds.bribed, _("whose senator do you bribe?")), deeds.untargeted)
_POLITICIAN: Final = Taking(deeds.picked(deeds.token), deeds.untargeted)
_CAMPAIGN: Final = Taking(deeds.campaigning, deeds.cheapest_march)
_REVOLT: Final = Taking(deeds.inciting, deeds.nowhere)

SHOWN: Final = ByAct(
    merchant=Shown(_gain_words("{} a token"), _its_own, _KEPT, deeds.used_untargeted),
    assassin=Shown(_gain_words(_("one victim")), _one_for_all, _KEPT, deeds.sending),
    loot=Shown(_gain_words(_("{} talents")), _one_for_all, _KEPT, deeds.used_untargeted),
    emergency_tax=Shown(_gain_words(_("{} talents")), _its_own, _KEPT, deeds.used_untargeted),
    bread_and_circuses=Shown(_gain_words(_("{} less chaos")), _its_own, _KEPT, deeds.used_untargeted),
    hail_caesar=Shown(_gain_words(_("{} points")), _its_own, _KEPT, deeds.used_untargeted),
    new_legions=Shown(_gain_words(_("{} infantry")), _its_own, _KEPT, deeds.used_untargeted),
    influence_in_rome=Shown(_gain_words(_("{} influence")), _its_own, _KEPT, deeds.used_untargeted),
    senator=Shown(_votes, _its_own, _KEPT, deeds.used_untargeted),
    troops=Shown(_host, _its_own, _KEPT, deeds.used_untargeted),
    pirates=Shown(_gain_words("{} galleys"), _one_for_all, _KEPT, deeds.used_untargeted),
    fleet=Shown(_gain_words("{} galleys"), _one_for_all, _FLEET, deeds.used_untargeted),
    city=Shown(_gain_words("a city"), _one_for_all, _CITY, deeds.used_untargeted),
    barbarians=Shown(_reward_words, _by_reward, _CAMPAIGN, deeds.used_untargeted),
    politician=Shown(_gain_words(_("{} influence")), _one_for_all, _POLITICIAN, deeds.used_untargeted),
    bribe=Shown(_gain_words(_("steal a senator")), _one_for_all, _BRIBE, deeds.used_untargeted),
    revolt=Shown(_gain_words(_("{} slaves")), _one_for_all, _REVOLT, deeds.used_untargeted),
    army=Shown(_gain_words(_("{} more die")), _one_for_all, _KEPT, deeds.used_untargeted),
    navy=Shown(_gain_words(_("{} more die")), _one_for_all, _KEPT, deeds.used_untargeted),
    wind=Shown(_gain_words(_("no forced battle")), _one_for_all, _KEPT, deeds.used_untargeted),
)
