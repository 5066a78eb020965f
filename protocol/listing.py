"""Pages of a seat's legal actions: within a filter, with labels and forms for clients that know no rules."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

from msgspec import Raw
from msgspec.structs import replace

from protocol import codec
from protocol.choices import choose, fair
from protocol.limits import MAX_CHOICES, MAX_FORMS, MAX_LABELS
from shared.actions.description import Filter, Form, Label
from shared.actions.enumeration import Values, in_order, is_plain, plain_key, size, walk
from shared.actions.registry import ACTIONS, label_of
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, tag_of
from shared.kernel.ruleset import AnyRuleset
from shared.messages import MAX_PLACE, Choices
from shared.odds.chances import Chances
from shared.odds.registry import battle_chances
from shared.vocabulary.actions import Concede

MOST_CHECKS: Final = 128
"""Composed actions that one request has judged; then the answer ends, and `next` leads on."""


Labelled: TypeAlias = tuple[Action, Label | None]
"""A legal action with its label, if its game has labels."""


class Listing:
    """All legal actions of a seat that owes, in a fixed order: the options of the frame, then what forms compose.

    Made from the seat's view and nothing else. Positions count options and all that the forms of a filter could
    compose. So a page begins anywhere without a look at the ones before. `standing`: those that answer no frame.
    """

    def __init__(self, rules: AnyRuleset, view: Any, seat: Seat, standing: bool = False) -> None:
        self._rules = rules
        self._view = view
        self._seat = seat
        self._standing = standing
        self._frame = 0 if standing else engine.top(view).no
        self._options = _brief(rules, view, seat) if standing else list(engine.options(rules, view, seat))
        self._firsts: dict[bool, Choices] = {}
        self._labels: dict[int, Label | None] = {}
        self._known_forms: dict[Filter, tuple[Form, ...]] = {}

    def label(self, action: Action) -> Label | None:
        """Return the label of a legal action."""
        return label_of(self._rules.id, self._view, self._seat, action)

    def every(self, query: Filter) -> Iterator[Action]:
        """Yield all legal actions within a filter, as they are found."""
        for _position, found in self._from(query, self._forms(query), 0):
            if found is not None:
                yield found[0]

    def page(self, query: Filter, start: int, labelled: bool) -> Choices:
        """Return the choices within a filter from `start` on, `ref` 0. `labelled`: with labels and forms."""
        if query == Filter() and not self._standing:
            first = self._first(labelled)
            return self._page(query, start, labelled, {bytes(raw) for raw in first.actions}) if start else first
        return self._page(query, start, labelled, set())

    def _first(self, labelled: bool) -> Choices:
        """Return a fair choice from all legal actions; the pages after it leave these out."""
        if labelled not in self._firsts:
            self._firsts[labelled] = self._chosen(labelled)
        return self._firsts[labelled]

    def _chosen(self, labelled: bool) -> Choices:
        choices, places = choose(self._rules, self._view, self._seat, self._options)
        following = 0 if choices.complete else 1
        if not labelled or self._rules.id not in ACTIONS:
            return replace(choices, next=following)
        forms = fitting(self._forms(Filter()))
        sizes = [_size(self._option_label(place)) for place in places]
        shares = fair([type(self._options[place]) for place in places], sizes, MAX_LABELS - _bytes(forms))
        complete = choices.complete and len(shares) == len(places)
        return replace(
            choices,
            complete=complete,
            actions=tuple([choices.actions[place] for place in shares]),
            next=0 if complete else 1,
            labels=tuple([label for place in shares if (label := self._option_label(places[place])) is not None]),
            forms=forms,
            odds=self._odds,
        )

    def _page(self, query: Filter, start: int, labelled: bool, codes: set[bytes]) -> Choices:
        forms = self._forms(query)
        shown = fitting(forms) if labelled and not start else ()
        choices = Choices(2**32 - 1, self._frame, False, (), (), MAX_PLACE, (), shown)
        page = _Page(
            MAX_CHOICES - len(codec.encode(replace(choices, forms=()))) - 2, MAX_LABELS - _bytes(shown), labelled
        )
        following, checks, ended = 0, 0, True
        for position, action in self._from(query, forms, max(0, start - 1)):
            checks += position >= len(self._options)
            if checks > MOST_CHECKS or not page.take(action, codes):
                following, ended = position + 1 if position < MAX_PLACE else 0, False
                break
        complete = not start and ended and self._is_complete
        labels = tuple(page.labels)
        odds = self._odds if labelled else None
        actions = tuple(page.actions)
        return replace(choices, ref=0, complete=complete, actions=actions, next=following, labels=labels, odds=odds)

    def _from(self, query: Filter, forms: Sequence[Form], start: int) -> Iterator[tuple[int, Labelled | None]]:
        """Yield positions from `start` on, each with its action if it is legal and within the filter."""
        count = len(self._options)
        for place in range(start, count):
            yield place, self._within(query, self._options[place], place)
        base = count
        for form in forms:
            begin, width = max(0, start - base), size(form)
            if begin < width:
                for offset, values in walk(form, begin):
                    yield base + offset, self._composed_action(query, form, values)
            base += width

    def _composed_action(self, query: Filter, form: Form, values: Values) -> Labelled | None:
        """Return what a form composes, unless it is illegal, outside of the filter or the same as another action."""
        if not in_order(form, values):
            return None
        action = self._rules.action_decoder.decode(codec.ENCODER.encode([form.tag, *values]))
        # The rules are asked first: they refuse most of what armies for several places compose.
        if engine.check(self._rules, self._view, self._seat, action) is not None:
            return None
        if not is_plain(action) or plain_key(action) in self._option_keys:
            return None
        return self._within(query, action, NONE)

    def _within(self, query: Filter, action: Action, place: int) -> Labelled | None:
        """Return an action with its label if it is within the filter. `place`: among the options."""
        if not query.asks(tag_of(action)):
            return None
        label = self._option_label(place) if place != NONE else self.label(action)
        return (action, label) if query.takes(label) else None

    def _option_label(self, place: int) -> Label | None:
        """Return the label of an option."""
        if place not in self._labels:
            self._labels[place] = self.label(self._options[place])
        return self._labels[place]

    @cached_property
    def _option_keys(self) -> set[tuple[object, ...]]:
        """Keys of the options: what forms compose beside them is new."""
        return {plain_key(action) for action in self._options}

    def _forms(self, query: Filter) -> tuple[Form, ...]:
        """Return the forms within a filter, those with few positions first: what fits into numbers can be reached."""
        if query not in self._known_forms:
            self._known_forms[query] = tuple(sorted(self._new_forms(query), key=size))
        return self._known_forms[query]

    def _new_forms(self, query: Filter) -> list[Form]:
        """Return the forms within a filter as the game makes them, of standing actions for one kind at a time."""
        game = ACTIONS.get(self._rules.id)
        standing = {tag_of(kind) for kind in self._rules.standing.kinds}
        if game is None:
            return []
        if not self._standing:
            return [form for form in game.forms(self._view, self._seat, query) if form.tag not in standing]
        kinds = sorted(filter(query.asks, standing))
        form_lists = [game.forms(self._view, self._seat, replace(query, kind=tag)) for tag in kinds]
        return [form for forms in form_lists for form in forms if form.tag in standing]

    @cached_property
    def _odds(self) -> Chances | None:
        """Return the odds of the battle under way, for this seat."""
        return None if self._standing else battle_chances(self._rules.id, self._view, self._seat)

    @cached_property
    def _is_complete(self) -> bool:
        """Whether the options and forms hold all legal actions: so it is where a game has forms for all the others."""
        return self._rules.id in ACTIONS or not self._rules.extreme_actions(self._view, self._seat)


class _Page:
    """Page that grows until it is full, in bytes of actions and of labels."""

    def __init__(self, room: int, words: int, labelled: bool) -> None:
        self.actions: list[Raw] = []
        self.labels: list[Label] = []
        self._room = room
        self._words = words
        self._option_label = labelled

    def take(self, found: Labelled | None, codes: set[bytes]) -> bool:
        """Take an action that is not known yet; return False if it does not fit."""
        if found is None or (data := codec.encode(found[0])) in codes:
            return True
        label = found[1] if self._option_label else None
        words = _size(label)
        if len(data) > self._room or words > self._words:
            return False
        self._room -= len(data)
        self._words -= words
        self.actions.append(Raw(data))
        self.labels += [label] if label is not None else []
        return True


def _brief(rules: AnyRuleset, view: Any, seat: Seat) -> list[Action]:
    """Return the legal standing actions of which there are few: those without any fields, and concessions."""
    kinds, seats = rules.standing.kinds, range(len(rules.standings(view)))
    brief: list[Action] = [kind() for kind in kinds if not kind.__struct_fields__]
    taken_back = [NONE] if Concede in kinds and view.conceded[seat] != NONE else []
    brief += [Concede(to) for to in (*taken_back, *seats) if Concede in kinds and to != view.conceded[seat]]
    return [action for action in brief if engine.check(rules, view, seat, action) is None]


def fitting(forms: Sequence[Form]) -> tuple[Form, ...]:
    """Return the forms that fit into an answer, small ones first; the others come when their kind is asked for."""
    fits: list[Form] = []
    left = MAX_FORMS
    for form in sorted(forms, key=lambda form: len(codec.encode(form))):
        left -= len(codec.encode(form))
        if left >= 0 or not fits:
            fits.append(form)
    return tuple(fits)


def _size(label: Label | None) -> int:
    return 0 if label is None else len(codec.encode(label))


def _bytes(forms: Sequence[Form]) -> int:
    return sum([len(codec.encode(form)) for form in forms])
