"""Grammar of typed actions: a verb, and parts that begin with keywords. One description serves reading and writing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any, TypeAlias

from msgspec import Struct, field

from shared.actions.name_lookup import Misread, either, folded
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.language.sentence import Sentence, _

Values: TypeAlias = tuple[Any, ...]
"""Values of the action's fields that one part expresses together."""
Known: TypeAlias = Mapping[str, Any]
"""Fields that are read already."""
Who: TypeAlias = Callable[[Seat], str]
"""Function from a seat to the name of its player."""


class PhraseContext(Struct, frozen=True):
    """Context of a command: the position, the reader's seat (-1: no player), and the players' names.

    The type of the position is that of the game.
    """

    table: Any
    seat: Seat
    who: Who


class ThingKind(Struct, frozen=True):
    """Kind of thing in a command.

    `name`: its placeholder in a description. `say`: its words, "" if none are needed. `read`: the possible meanings,
    the likeliest first; no words mean the default, if there is one. It raises Misread.
    """

    name: str
    say: Callable[[Values, PhraseContext], str]
    read: Callable[[str, PhraseContext, Known], Sequence[Values]]


class PhrasePart(Struct, frozen=True):
    """Part of a phrase.

    `key`: its first word, "" right after the verb. `late`: it is read after the other parts. `needed`: whether it is
    required.
    """

    key: str
    fields: tuple[str, ...]
    kind: ThingKind
    needed: bool = True
    late: bool = False

    def usage(self) -> str:
        """Return the syntax of the part."""
        words = f"{self.key} {self.kind.name}".strip()
        return words if self.needed else f"[{words}]"


class Phrase(Struct, frozen=True):
    """Phrase for a kind of action.

    `means`: a sentence about it. `fixed`: fields that the verb determines. `action`: the kind, which the description
    of the action fills in.
    """

    verb: str
    means: Sentence
    parts: tuple[PhrasePart, ...] = ()
    fixed: dict[str, Any] = field(default_factory=dict)
    action: type[Action] = Action

    @property
    def usage(self) -> str:
        """Return the syntax of the phrase."""
        return " ".join([self.verb, *(part.usage() for part in self.parts)])

    def fits(self, action: Action) -> bool:
        """Whether the phrase can express that action."""
        return type(action) is self.action and all(getattr(action, k) == v for k, v in self.fixed.items())

    def say(self, action: Action, scene: PhraseContext) -> str:
        """Return the command for an action."""
        words = [self.verb]
        for part in self.parts:
            part_text = part.kind.say(tuple([getattr(action, name) for name in part.fields]), scene)
            words += [part.key, part_text] if part_text else []
        return " ".join(filter(None, words))

    def read(self, words: str, scene: PhraseContext) -> Iterator[Action]:
        """Return the possible meanings of the words after the verb, the likeliest first. Raises Misread."""
        said = self._apart(words)
        return (self.action(**self.fixed, **fields) for fields in self._filled(said, scene))

    def _filled(self, texts: Mapping[str, str], scene: PhraseContext) -> Iterator[Known]:
        early, late = [[part for part in self.parts if part.late is when] for when in (False, True)]
        for known in _every([(part, part.kind.read(texts.get(part.key, ""), scene, {})) for part in early]):
            for more in _every([(part, part.kind.read(texts.get(part.key, ""), scene, known)) for part in late]):
                yield {**known, **more}

    def _apart(self, words: str) -> dict[str, str]:
        """Return the words of each part, by its key."""
        keys, texts, at = {part.key for part in self.parts}, {"": ""}, ""
        for word in words.split():
            if folded(word) in keys - texts.keys():
                at = folded(word)
                texts[at] = ""
            else:
                texts[at] = f"{texts[at]} {word}".strip()
        missing = any(part.needed and not texts.get(part.key) for part in self.parts)
        if missing or (texts[""] and "" not in keys):
            raise Misread(_("Say it so: {usage}", usage=self.usage))
        return texts


def _every(read: Sequence[tuple[PhrasePart, Sequence[Values]]]) -> Iterator[Known]:
    """Yield all combinations of the parts' meanings, as fields."""
    names = list(chain.from_iterable(part.fields for part, _values in read))
    for values in product(*(values for _part, values in read)):
        yield dict(zip(names, chain.from_iterable(values), strict=True))


class Grammar:
    """All phrases of a game."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self.phrases = tuple(phrases)

    def say(self, action: Action, scene: PhraseContext) -> str:
        """Return the command for an action."""
        return next(phrase for phrase in self.phrases if phrase.fits(action)).say(action, scene)

    def read(self, line: str, scene: PhraseContext, now: Sequence[Phrase] = ()) -> Iterator[Action] | None:
        """Return the possible meanings of a line, the likeliest first; None if it begins with no verb. Raises Misread.

        `now`: phrases that are legal at the moment; a shortened verb means them first.
        """
        for phrases in (now, self.phrases):
            if (found := _begun(line, phrases)) is not None:
                phrase, rest = found
                return phrase.read(rest, scene)
        return None

    def of(self, actions: Sequence[Action]) -> list[Phrase]:
        """Return the phrases for these kinds of actions."""
        kinds = {type(action) for action in actions}
        return [phrase for phrase in self.phrases if phrase.action in kinds]


def _begun(line: str, phrases: Sequence[Phrase]) -> tuple[Phrase, str] | None:
    """Return the phrase whose verb a line begins with, and the words after it."""
    words = line.split()
    ranks = [_rank([folded(word) for word in words], phrase.verb.split()) for phrase in phrases]
    best = [phrase for phrase, rank in zip(phrases, ranks, strict=True) if rank and rank == max(ranks)]
    if len(best) > 1:
        raise Misread(_("“{typed}” may be {names}.", typed=line, names=either([phrase.verb for phrase in best])))
    return (best[0], " ".join(words[len(best[0].verb.split()) :])) if best else None


def _rank(words: Sequence[str], verb: Sequence[str]) -> int:
    """Return how well a line begins with a verb: full words count most, an incomplete verb least, 0 is no match."""
    pairs = list(zip(verb, words, strict=False))
    if not pairs or not all(full.startswith(short) for full, short in pairs):
        return 0
    return len(pairs) + 10 * sum(full == short for full, short in pairs) if len(pairs) == len(verb) else 1
