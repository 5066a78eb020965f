"""The reason why an action is not legal: a value, never an exception."""

from msgspec import Struct

from shared.language.sentence import Sentence


class Refusal(Struct, frozen=True, array_like=True, gc=False):
    """A refused action.

    code: short machine name, stable across versions, e.g. ``"no-leader"``.
    rule: id of the rule or ruling that forbids it, e.g. ``"CL-LEAD-02"``; empty for refusals of the protocol.
    words: what was wrong, in words a player understands: a sentence, or the key of a sentence without gaps. Texts
        from elsewhere, such as a library or a disk, are their own key.
    """

    code: str
    rule: str
    words: Sentence | str

    @property
    def sentence(self) -> Sentence:
        """The reason, for any language."""
        return self.words if isinstance(self.words, Sentence) else Sentence(self.words, {})

    @property
    def text(self) -> str:
        """The reason, in English."""
        return str(self.words)


def sentence_of(error: Exception) -> Sentence | str:
    """Return the sentence that an exception was made with; the text of any other exception."""
    return error.args[0] if error.args and isinstance(error.args[0], Sentence) else str(error)


class BrokenRules(RuntimeError):
    """The rules kernel caught itself in an impossible position: a bug, never a player's fault."""
