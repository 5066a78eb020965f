"""Words for the decision owed now, a title and a sentence: whose decision it is, and what can be done. Pure."""

from msgspec import Struct

from client.language import Who, _, say
from shared.ids import NONE, Seat
from shared.language import sentence as prompts
from shared.sentences.yours import prompt_to_reader


class Prompt(Struct, frozen=True):
    """The decision owed.

    `seat` owes it (NONE: no decision is owed; NATURE: chance). `what`: the decision. `how`: an instruction for its
    owner; `hand`: how that is done on the board, for players who see it.
    """

    seat: Seat
    what: str
    how: str
    hand: str = ""

    @property
    def full(self) -> str:
        """Both instructions, as shown beside the board."""
        return f"{self.how} {self.hand}".strip()


def others_turn(prompt: Prompt, seat: Seat, playing: bool, who: Who) -> str:
    """Return the words to show while others decide. `playing`: whether this seat is still in the match."""
    if prompt.seat < 0 or prompt.seat == seat:
        return ""
    return _("{who} decides.", who=who(prompt.seat)) + ("" if playing else _(" You are watching."))


def asked(prompt: prompts.Prompt, who: Who, reader: Seat = NONE) -> Prompt:
    """Return a decision in the player's language; `reader` is addressed as "you"."""
    prompt = prompt_to_reader(prompt, reader)
    return Prompt(prompt.seat, say(prompt.what, who), say(prompt.how, who), say(prompt.hand, who))
