"""Description of an action: one value with all that is said of it, and those of all actions of a game."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from shared.actions.description import Filter, Form, Label
from shared.actions.grammar import Grammar, Phrase
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Frame, tag_of
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Sentence
from shared.sentences.yours import to_reader

Labeller: TypeAlias = Callable[[Any, Seat, Any], Label]
"""Returns the label of an action that a seat may take, from its view."""
Former: TypeAlias = Callable[[Any, Any, Seat, Filter], Sequence[Form]]
"""Returns the forms for the actions of a seat within a filter, from its view and the frame on top of it."""


class ActionDescription(Struct, frozen=True):
    """Description of one kind of action: the one place where a game says what the action is for its players.

    `kind`: its class. `label`: its words, heading and places for a button. `phrases`: how it is typed. `frames`: the
    decisions that it answers; empty if it is legal at any time. `forms`: fields with ranges and choices that compose
    it, where there may be more than a list shows.
    """

    kind: type[Action]
    label: Labeller
    phrases: tuple[Phrase, ...]
    frames: tuple[type[Frame], ...] = ()
    forms: Former | None = None


class GameActions:
    """Actions that players of a game can take: labels, forms and typed commands."""

    def __init__(
        self,
        rules: AnyRuleset,
        described: Sequence[ActionDescription],
        unlisted: Callable[[Any, Seat], Collection[type[Action]]] | None = None,
    ) -> None:
        """Keep the descriptions; typed commands and forms are told in their order.

        unlisted: kinds of actions that the options do not exhaust now; without it, all that have forms.
        """
        self._rules = rules
        self._unlisted = unlisted
        self.kinds = {each.kind: each for each in described}
        self.grammar = Grammar([replace(phrase, action=each.kind) for each in described for phrase in each.phrases])

    def label(self, view: Any, seat: Seat, action: Action) -> Label:
        """Return the label of an action that the seat may take; the player whose action it is is called "you"."""
        label = self.kinds[type(action)].label(view, seat, action)
        return replace(label, text=to_reader(label.text, seat))

    def forms(self, view: Any, seat: Seat, query: Filter) -> list[Form]:
        """Return the forms for kinds of actions within a filter which the options do not exhaust, or in a long list.

        Those for actions that are legal at any time are made only if the filter names their kind.
        """
        kinds = self.kinds if self._unlisted is None else self._unlisted(view, seat)
        found = [each for each in self.kinds.values() if each.kind in kinds and query.asks(tag_of(each.kind))]
        return self._forms_of(found, view, seat, query)

    def composed(self, view: Any, seat: Seat, kind: type[Action]) -> list[Form]:
        """Return the forms in which a seat composes actions of a kind now, also where options exhaust them."""
        return self._forms_of([self.kinds[kind]], view, seat, Filter(tag_of(kind)))

    def _forms_of(self, found: Iterable[ActionDescription], view: Any, seat: Seat, query: Filter) -> list[Form]:
        frame, owes = view.frames[-1], seat in engine.owed(self._rules, view)
        return [
            form
            for each in found
            if each.forms is not None
            and (owes and isinstance(frame, each.frames) if each.frames else query.kind != NONE)
            for form in each.forms(view, frame, seat, query)
        ]


def plain(text: Sentence, group: Sentence, *, grave: bool = False) -> Labeller:
    """Return the maker of a label that is always the same."""
    label = Label(text, group, grave=grave)
    return lambda _table, _seat, _action: label
