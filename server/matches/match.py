"""Synchronous core of one match. No sockets, no clock, no await; the caller makes its steps durable."""

import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Raw, Struct

from protocol import codec, delta
from protocol.choices import choices
from protocol.listing import Listing
from server import log
from server.matches.dice import Chance
from server.matches.undo import NOTHING, Undoable
from shared.actions.description import Filter, Label
from shared.actions.registry import label_of
from shared.history import UNDO_DEPTH, Course, Deed, Entry, LogStep, returned
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import AnyRuleset, IllegalAction, told_to_all
from shared.messages import Back, Choices, Snapshot
from shared.odds.chances import Chances
from shared.odds.registry import attack_chances
from shared.refusal import Refusal

SLICE: Final = 16
"""Entries of a log that are replayed before other tasks get a turn: a millisecond or two."""
RING: Final = 256
"""Versions for which frames are kept: a client that missed more gets a snapshot."""


STORY: Final = 200
"""Events of each audience class that a newcomer without any version is told."""
REMEMBERED: Final = 64
"""Answered commands of each seat that are remembered. A repeated command is always one of the last."""
MOST_STANDING: Final = 100
"""Limit of a seat's standing actions in one match."""
MOST_BACK: Final = 200
"""Limit of the decisions that a seat may take back in one match."""
STALE: Final = Refusal("stale-frame", "", "That decision is over.")
OVER: Final = Refusal("over", "", "The match is over.")
_HAPPENED: Final = Refusal("stale-version", "", "Something has happened since; nothing was taken back.")
_ENOUGH_BACK: Final = Refusal("enough", "", "You have taken back often enough in this match.")


class AudienceView(Struct, frozen=True):
    """View of an audience class, its encoded bytes and their digest."""

    view: Any
    encoded: bytes
    digest: int


class EntryViews(Struct, frozen=True):
    """Entry that was carried out, and the view of each audience class after it."""

    passed: LogStep
    seen: tuple[AudienceView, ...]


class ReadyVersion(Struct, frozen=True):
    """Version that is ready to be published.

    `seen`, `frames` and `told` hold, by audience class, the view, the bytes of its `Frame` and its events. `undoable`:
    the decisions that may be taken back then. `back`: the version to which it leads back, if it does. `round`: see
    `Ruleset`.
    """

    version: int
    seen: tuple[AudienceView, ...]
    frames: tuple[bytes, ...]
    told: tuple[list[Event], ...]
    undoable: Undoable
    back: Back | None
    round: tuple[int, ...]


class AcceptedAction:
    """Accepted action with the chance that follows it: first made durable, then committed.

    `state` is the position after it; `entries` are its entries for the log. `turned`, one for each entry, is built on
    first use, while the store writes. Everything that rule sets compute (the views) was built before, so `turned`
    cannot fail because of them.
    """

    __slots__ = ("_make", "_turned", "entries", "state")

    def __init__(self, state: Any, entries: tuple[Entry, ...], make: Callable[[], tuple[ReadyVersion, ...]]) -> None:
        self.state = state
        self.entries = entries
        self._make = make
        self._turned: tuple[ReadyVersion, ...] | None = None

    @property
    def turned(self) -> tuple[ReadyVersion, ...]:
        """For each entry, the version that it publishes."""
        if self._turned is None:
            self._turned = self._make()
        return self._turned

    def stamped(self, entries: tuple[Entry, ...]) -> "AcceptedAction":
        """Return the same step with `entries` that differ in their times only."""
        return AcceptedAction(self.state, entries, lambda: self.turned)


class RepeatedCommand(Struct, frozen=True):
    """Command that was accepted before, as `version`."""

    version: int


def _unheard(_entry: Entry) -> None:
    """Ignore an entry."""


class Match:
    """The authoritative position and what each audience class was shown of it.

    Audience classes: one per seat, by number, and the public as the last one (`public`).
    """

    def __init__(self, rules: AnyRuleset, seats: int, options: Mapping[str, int], dice: Chance) -> None:
        self.rules = rules
        self.seats = seats
        self.public = seats
        self.version = 0
        self._dice = dice
        self._audiences: tuple[int | None, ...] = (*range(seats), None)
        self._answered: list[dict[int, tuple[int, int]]] = [{} for _ in range(seats)]
        self._forgotten = [0] * seats
        self._commands = [0] * seats
        self._standing = [0] * seats
        self._ring: deque[tuple[bytes, ...]] = deque(maxlen=RING)
        self._story: list[deque[tuple[int, Event]]] = [deque(maxlen=STORY) for _ in self._audiences]
        self._backs: deque[tuple[int, Back]] = deque(maxlen=STORY)
        self._taken_back = [0] * seats
        self._undone: list[deque[int]] = [deque(maxlen=REMEMBERED) for _ in range(seats)]
        """By seat, the versions at which it took something back."""
        self._decided: list[deque[int]] = [deque(maxlen=UNDO_DEPTH) for _ in range(seats)]
        """By seat, the versions at which its person made a decision that still stands."""
        self._undoable = NOTHING
        self._ended = False
        """Whether the players agreed to end the match."""
        self._snapshots: dict[tuple[int, bool], bytes] = {}
        self._choices: dict[int, Choices] = {}
        self._listings: dict[tuple[int, bool], Listing] = {}
        self._options = options
        self.state: Any = Course(rules, seats, options).state
        self._seen = self._look(self.state)
        self._rounds: list[tuple[tuple[int, ...], int]] = [(rules.round_of(self.state), 0)]
        """The rounds so far, each with the version at which it began."""

    @property
    def owed(self) -> tuple[int, ...]:
        """Seats that must decide now."""
        return () if self._ended else engine.owed(self.rules, self.state)

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return self._ended or self.rules.finished(self.state)

    @property
    def frame(self) -> int:
        """The number of the frame on top."""
        return engine.top(self.state).no

    def view(self, audience: int) -> bytes:
        """Return the encoded view of an audience class."""
        return self._seen[audience].encoded

    def digest(self, audience: int) -> int:
        """Return the digest of an audience class's view."""
        return self._seen[audience].digest

    def highest_command(self, seat: int) -> int:
        """Return the highest command number accepted from a seat, 0 for none."""
        return self._commands[seat]

    def default(self, seat: int) -> bytes:
        """Return the encoded default action of a seat that does not decide."""
        return codec.encode(engine.default(self.rules, self.state, seat))

    def submit(self, seat: int, command: int, frame: int, raw: bytes) -> AcceptedAction | RepeatedCommand | Refusal:
        """Judge an encoded action; nothing changes before `commit`.

        `command` 0 marks the server's decision for a seat; `frame` 0 a standing action. Raises only for bugs.
        """
        # Before anything else: a repeated command gets its old answer even if its decision is long over.
        again = self.answer_again(seat, command, frame, raw)
        if again is not None:
            return again
        action = self._answer(seat, frame, raw)
        if isinstance(action, Refusal):
            return action
        try:
            return self._play(Entry(self.version + 1, seat, command, frame, raw), action)
        except IllegalAction as illegal:
            return illegal.refusal

    def trial(self, seat: int, frame: int, raw: bytes) -> Action | Refusal:
        """Return an encoded action if `submit` would accept it now, as far as the seat's view tells, else why not."""
        action = self._answer(seat, frame, raw)
        if isinstance(action, Refusal):
            return action
        return engine.check(self.rules, self._seen[seat].view, seat, action) or action

    def _answer(self, seat: int, frame: int, raw: bytes) -> Action | Refusal:
        """Decode an action for a frame. The rules have yet to judge it."""
        if self._ended:
            return OVER
        try:
            action: Action = self.rules.action_decoder.decode(raw)
        except codec.UNREADABLE as error:
            return Refusal("bad-action", "", codec.harmless(str(error)))
        # Frame 0 is for standing actions alone: an ordinary action without a frame would skip the check for a stale
        # one.
        if frame != self.frame and not (frame == 0 and isinstance(action, self.rules.standing.kinds)):
            return STALE
        if frame == 0 and self._standing[seat] >= MOST_STANDING:
            return Refusal("enough", "", "You have done that often enough in this match.")
        return action

    def undo(self, seat: int, version: int) -> AcceptedAction | RepeatedCommand | Refusal:
        """Take back the last decision of a seat that sees `version`; nothing changes before `commit`."""
        # The same request again, after its answer was lost: it must not take back one more.
        if self.has_undone(seat, version):
            return RepeatedCommand(version + 1)
        if version != self.version:
            return _HAPPENED
        if self.finished:
            return OVER
        if self._taken_back[seat] >= MOST_BACK:
            return _ENOUGH_BACK
        if not self._undoable.steps(seat):
            return self._undoable.why_closed(seat)
        # Positions of the last few decisions are kept, so this undo needs no replay of the log.
        last = self._undoable.decisions[-1]
        return self.rewind(seat, last.version, last.state)

    def has_undone(self, seat: int, version: int) -> bool:
        """Whether a seat took something back at that version. A request that names it again is a repetition."""
        return version in self._undone[seat]

    def decided(self, seat: int) -> int | None:
        """Return the version at which a seat's person made their last standing decision, None if it is out of reach."""
        decided = self._decided[seat]
        return decided[-1] if decided and decided[-1] >= self.earliest else None

    def rewind(self, seat: int, to: int, then: Any) -> AcceptedAction:
        """Return a step back to `then`, the position of version `to`; nothing changes before `commit`.

        `seat`: the seat that takes something back, NONE if all agreed.
        """
        entry = Entry(self.version + 1, seat, 0, 0, b"", Deed.BACK, to)
        return self._follow(LogStep(entry, returned(self.state, then), []))

    @property
    def earliest(self) -> int:
        """The version at which the previous round began, 0 if there was none."""
        return self._rounds[-2][1] if len(self._rounds) > 1 else 0

    def chance(self) -> AcceptedAction | None:
        """Return the chance that is owed before any player's decision, as right after the start; None if there is
        none."""
        drawn = self._draw(self.state, self.version + 1)
        return self._play(*drawn) if drawn else None

    def mark(self, deed: Deed, action: bytes) -> AcceptedAction:
        """Return a step that only adds an entry to the log and keeps the position; nothing changes before `commit`."""
        entry = Entry(self.version + 1, NATURE, 0, 0, action, deed)
        looked = [EntryViews(LogStep(entry, self.state, []), self._seen)]
        return AcceptedAction(
            self.state, (entry,), partial(self._turn_all, looked, self.state, self._seen, self._undoable)
        )

    def commit(self, step: AcceptedAction) -> None:
        """Apply a durable step."""
        self.advance(step)
        self.remember(step)

    def advance(self, step: AcceptedAction) -> None:
        """Make a durable step the current position; `remember` must follow before the next request."""
        last = step.turned[-1]
        self.state, self.version, self._seen, self._undoable = step.state, last.version, last.seen, last.undoable
        # Agreement ends a match without the rules knowing it, so `finished` of the rules is not enough.
        self._ended |= any(entry.deed is Deed.END for entry in step.entries)
        self._snapshots.clear()
        self._choices.clear()
        self._listings.clear()

    def remember(self, step: AcceptedAction) -> None:
        """Record a step for repeated commands, returning clients and undo."""
        for entry, turned in zip(step.entries, step.turned, strict=True):
            self._note(entry, turned.round)
            self._remember(turned)

    def replay(self, entries: Sequence[Entry], passed_by: Callable[[Entry], object] = _unheard) -> Iterator[int]:
        """Replay a stored log from the start.

        Yields the current version now and then, so that the caller can let other tasks run. `passed_by` is called with
        each entry after the position has reached it. Raises if the rules no longer accept the log.
        """
        # Views of older versions are of no use to anybody: only the last `RING` frames can be sent.
        shown_from = len(entries) - RING
        for i, passed in enumerate(Course(self.rules, self.seats, self._options).follow(entries)):
            if i % SLICE == SLICE - 1:
                yield self.version
            entry, before, self.state = passed.entry, self.state, passed.state
            self._note(entry, self.rules.round_of(self.state))
            passed_by(entry)
            if i >= shown_from:
                self._show_again(passed, before)
            # The view before the first frame that is built: deltas need both sides.
            elif i == shown_from - 1:
                self._seen = self._look(self.state)
            self.version = entry.n
        self._snapshots.clear()
        self._choices.clear()
        self._listings.clear()

    def _show_again(self, passed: LogStep, before: Any) -> None:
        """Build the frames of an entry that is read from the log."""
        looked = EntryViews(passed, self._look(passed.state))
        try:
            turned = self._turn(looked, before, self._seen, self._undoable)
        except Exception:
            # The log has the entry and the position stands: without its frame, returning clients get a snapshot.
            log.failure("no-frame", version=passed.entry.n)
            self._ring.clear()
            self._seen, self._undoable = looked.seen, NOTHING
        else:
            self._remember(turned)
            self._seen, self._undoable = turned.seen, turned.undoable

    def snapshot(self, audience: int, packed: bool = False) -> bytes:
        """Return the encoded `Snapshot` for an audience class, `packed` for clients that understand that."""
        key = audience, packed
        data = self._snapshots.get(key)
        if data is None:
            data = codec.pack(self.snapshot(audience)) if packed else self._snapshot(audience)
            self._snapshots[key] = data
        return data

    def _snapshot(self, audience: int) -> bytes:
        seen, undo = self._seen[audience], self._undoable.steps(audience)
        return codec.encode(Snapshot(self.version, seen.digest, Raw(seen.encoded), undo))

    def choices(self, seat: int) -> Choices:
        """Return the choices of a seat that owes a decision, as far as its view tells; `ref` is 0."""
        found = self._choices.get(seat)
        if found is None:
            found = self._choices[seat] = choices(self.rules, self._seen[seat].view, seat)
        return found

    def listed(self, seat: int, frame: int, query: Filter, start: int, labelled: bool) -> Choices:
        """Return a page of the choices within a filter; `ref` is 0. `frame` 0: of standing actions."""
        key = seat, frame == 0
        listing = self._listings.get(key)
        if listing is None:
            listing = self._listings[key] = Listing(self.rules, self._seen[seat].view, seat, standing=frame == 0)
        return listing.page(query, start, labelled)

    def label(self, seat: int, action: Action) -> Label | None:
        """Return the label of an action of that seat; None in a game without labels."""
        return label_of(self.rules.id, self._seen[seat].view, seat, action)

    def chances(self, seat: int, action: Action) -> Chances | None:
        """Return the odds of the battle that an action of that seat begins or leads into."""
        return attack_chances(self.rules.id, self._seen[seat].view, seat, action)

    def tail(self, audience: int, have: int) -> list[bytes] | None:
        """Return the frames that lead from version `have` to the current one; None if they are no longer kept."""
        missing = self.version - have
        # A client without any version needs a snapshot, even if the whole match is in the ring.
        if have == 0 or not 0 <= missing <= len(self._ring):
            return None
        return [frames[audience] for frames in list(self._ring)[len(self._ring) - missing :]]

    def answer_again(self, seat: int, command: int, frame: int, raw: bytes) -> RepeatedCommand | Refusal | None:
        """Return the answer to a command that was accepted before, whatever the match is like now.

        None for a new command and for the server's decisions (command 0).
        """
        if not command:
            return None
        version, print_ = self._answered[seat].get(command, (0, 0))
        if version and print_ == _fingerprint(frame, raw):
            return RepeatedCommand(version)
        if version:
            return Refusal("command-reused", "", "That command number was used for another action.")
        if command <= self._forgotten[seat]:
            return Refusal("command-old", "", "That command number is older than all that are remembered.")
        return None

    def story(self, audience: int) -> tuple[tuple[int, Raw], ...]:
        """Return the last events that an audience class was told, encoded, each with its version."""
        return tuple([(version, Raw(codec.encode(event))) for version, event in self._story[audience]])

    def told(self, audience: int, have: int) -> Iterator[tuple[int, Event]]:
        """Yield the events that an audience class was told after version `have`, each with its version."""
        return ((version, event) for version, event in self._story[audience] if version > have)

    def position(self, audience: int) -> Any:
        """Return the view of an audience class."""
        return self._seen[audience].view

    def backs(self) -> tuple[tuple[int, Back], ...]:
        """Return the last versions that led back, and their targets."""
        return tuple(self._backs)

    def _remember(self, turned: ReadyVersion) -> None:
        self._ring.append(turned.frames)
        if turned.back is not None:
            self._backs.append((turned.version, turned.back))
        for story, events in zip(self._story, turned.told, strict=True):
            story.extend((turned.version, event) for event in events)

    def _note(self, entry: Entry, number: tuple[int, ...]) -> None:
        """Note an entry and the round to which it led. Rounds that were taken back are removed."""
        if entry.deed is Deed.BACK:
            self._rounds = [mark for mark in self._rounds if mark[1] <= entry.to]
        if not self._rounds or self._rounds[-1][0] != number:
            self._rounds.append((number, entry.n))
        self._ended |= entry.deed is Deed.END
        if entry.deed is Deed.BACK:
            self._decided = [deque([n for n in each if n < entry.to], UNDO_DEPTH) for each in self._decided]
            if entry.seat >= 0:
                self._taken_back[entry.seat] += 1
                self._undone[entry.seat].append(entry.n - 1)
        if not entry.command:
            return
        if entry.frame:
            self._decided[entry.seat].append(entry.n - 1)
        answered = self._answered[entry.seat]
        answered[entry.command] = (entry.n, _fingerprint(entry.frame, entry.action))
        # Dictionaries keep the order of insertion, so the first key is the oldest command.
        if len(answered) > REMEMBERED:
            oldest = next(iter(answered))
            del answered[oldest]
            self._forgotten[entry.seat] = max(self._forgotten[entry.seat], oldest)
        self._commands[entry.seat] = max(self._commands[entry.seat], entry.command)
        self._standing[entry.seat] += not entry.frame

    def _play(self, entry: Entry, action: Action) -> AcceptedAction:
        """Play an action on a clone of the position, then the chance that it calls for. Raises IllegalAction."""
        return self._follow(self._played(self.state, entry, action))

    def _played(self, before: Any, entry: Entry, action: Action) -> LogStep:
        passed = LogStep(entry, before.clone(), [])
        engine.play(self.rules, passed.state, entry.seat, action, passed.events.append)
        return passed

    def _follow(self, passed: LogStep) -> AcceptedAction:
        """Return the step of an entry that was carried out, with the chance that it calls for."""
        looked = [EntryViews(passed, self._look(passed.state))]
        # Chance is drawn before the step is logged: an answer and its dice become durable together.
        while (drawn := self._draw(passed.state, passed.entry.n + 1)) is not None:
            passed = self._played(passed.state, *drawn)
            looked.append(EntryViews(passed, self._look(passed.state)))
        entries = tuple([each.passed.entry for each in looked])
        return AcceptedAction(
            passed.state, entries, partial(self._turn_all, looked, self.state, self._seen, self._undoable)
        )

    def _turn_all(
        self, looked: Sequence[EntryViews], before: Any, seen: tuple[AudienceView, ...], undoable: Undoable
    ) -> tuple[ReadyVersion, ...]:
        """Build the versions of a step's entries. `before`, `seen` and `undoable` belong to the position before the
        first."""
        turned = []
        for each in looked:
            turned.append(self._turn(each, before, seen, undoable))
            before, seen, undoable = each.passed.state, each.seen, turned[-1].undoable
        return tuple(turned)

    def _draw(self, state: Any, version: int) -> tuple[Entry, Action] | None:
        if engine.owed(self.rules, state) != (NATURE,):
            return None
        frame = engine.top(state)
        action = engine.chance_action(state, self._dice.source(version, frame))
        if action is None:
            return None
        return Entry(version, NATURE, 0, frame.no, codec.encode(action)), action

    def _look(self, state: Any) -> tuple[AudienceView, ...]:
        """Return the view of each class. Classes that see the same share one object, and so its bytes."""
        distinct: list[AudienceView] = []
        found: list[AudienceView] = []
        for audience in self._audiences:
            view = self.rules.view(state, audience)
            # An open game gives the same lists to all: comparing is then far cheaper than encoding.
            for seen in distinct:
                if seen.view == view:
                    break
            else:
                encoded = codec.encode(view)
                seen = AudienceView(view, encoded, delta.digest(encoded))
                distinct.append(seen)
            found.append(seen)
        return tuple(found)

    def _turn(self, looked: EntryViews, before: Any, old: tuple[AudienceView, ...], undoable: Undoable) -> ReadyVersion:
        """Build the version of one entry. `before`, `old` and `undoable` belong to the position before it."""
        passed, new = looked.passed, looked.seen
        entry = passed.entry
        told = self._told_all(passed.events)
        changes = self._changes(old, new)
        undoable = undoable.after(entry, before, self._is_secret(passed.events, changes, told))
        back = Back(entry.seat, entry.to) if entry.deed is Deed.BACK else None
        steps = undoable.each(len(told))
        made: dict[tuple[int, ...], bytes] = {}
        frames = []
        for seen, change, heard, undo in zip(new, changes, told, steps, strict=True):
            key = (id(seen), id(change), undo, *map(id, heard))
            if key not in made:  # Classes with equal contents share one frame.
                made[key] = codec.encode_frame(entry.n, seen.digest, change, heard, undo, back)
            frames.append(made[key])
        return ReadyVersion(entry.n, new, tuple(frames), told, undoable, back, self.rules.round_of(passed.state))

    def _is_secret(self, events: list[Event], changes: list[list[Any]], told: tuple[list[Event], ...]) -> bool:
        """Whether a player learned a secret by a step, or the step made a secret that does not follow from what all
        saw."""
        kinds = self.rules.disclosing
        if kinds is None:
            return changes.count(changes[0]) < len(changes) or told.count(told[0]) < len(told)
        return any(isinstance(event, kinds) for event in events)

    def _told_all(self, events: list[Event]) -> tuple[list[Event], ...]:
        """Return, by class, the events that it is told; in an open game all share one list."""
        if self.rules.event_for is told_to_all:
            return (events,) * len(self._audiences)
        return tuple([self._told(events, audience) for audience in self._audiences])

    def _told(self, events: Sequence[Event], audience: int | None) -> list[Event]:
        """Return the events that a class is told."""
        return [told for event in events if (told := self.rules.event_for(event, audience)) is not None]

    def _changes(self, old: tuple[AudienceView, ...], new: tuple[AudienceView, ...]) -> list[list[Any]]:
        """Return the delta of each class's view; equal pairs share one delta."""
        known: delta.Known = {}
        made: dict[tuple[int, int], list[Any]] = {}
        for was, seen in zip(old, new, strict=True):
            pair = id(was), id(seen)
            if pair not in made:
                made[pair] = delta.diff(was.view, seen.view, known)
        return [made[id(was), id(seen)] for was, seen in zip(old, new, strict=True)]


def _fingerprint(frame: int, raw: bytes) -> int:
    # Only to tell a repetition from another action of the same seat; nothing depends on its strength.
    return zlib.crc32(raw, frame)
