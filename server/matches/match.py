"""One match: the synchronous core. No sockets, no clock, no await; what is durable is the caller's business."""

import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Raw, Struct

from protocol import codec, delta
from protocol.choices import choices
from server import log
from server.matches.dice import Chance
from server.matches.undo import NOTHING, Undoable
from shared.history import UNDO_DEPTH, Course, Deed, Entry, Passed, returned
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset, IllegalAction
from shared.kernel.frames import Action, Event
from shared.messages import Back, Choices, Snapshot
from shared.refusal import Refusal

SLICE: Final = 16
"""Entries of a log that are gone through in one go: a millisecond or two."""
RING: Final = 256
"""Versions that a returning client can catch up with frame by frame; before that it gets a snapshot."""


STORY: Final = 200
"""Events of each audience class that somebody who enters with nothing is told."""
REMEMBERED: Final = 64
"""Answered commands of each seat that are remembered; who asks again asks about one of the last."""
MOST_STANDING: Final = 100
"""Standing actions of a seat in one match."""
MOST_BACK: Final = 200
"""Decisions that a seat may take back in one match."""
STALE: Final = Refusal("stale-frame", "", "That decision is over.")
OVER: Final = Refusal("over", "", "The match is over.")
_HAPPENED: Final = Refusal("stale-version", "", "Something has happened since; nothing was taken back.")
_ENOUGH_BACK: Final = Refusal("enough", "", "You have taken back often enough in this match.")


class Seen(Struct, frozen=True):
    """What an audience class sees: its view, the view's bytes, their digest."""

    view: Any
    encoded: bytes
    digest: int


class Looked(Struct, frozen=True):
    """An entry that was carried out, and what each audience class sees since."""

    passed: Passed
    seen: tuple[Seen, ...]


class Turned(Struct, frozen=True):
    """A version ready to be published: per audience class what it sees, the bytes of its `Frame`, what it is told;
    `undoable`: what may be taken back then; `back`: where it leads back to, if it does; `round`: see `Ruleset`."""

    version: int
    seen: tuple[Seen, ...]
    frames: tuple[bytes, ...]
    told: tuple[list[Event], ...]
    undoable: Undoable
    back: Back | None
    round: tuple[int, ...]


class Step:
    """An accepted action with the chance that follows it: to be made durable, then committed.

    `state` is the position that it leads to, `entries` are its entries for the log. `turned`, one for each entry, is
    made when first asked for: the store writes meanwhile. All that rule sets compute, the views, was made before.
    """

    __slots__ = ("_make", "_turned", "entries", "state")

    def __init__(self, state: Any, entries: tuple[Entry, ...], make: Callable[[], tuple[Turned, ...]]) -> None:
        self.state = state
        self.entries = entries
        self._make = make
        self._turned: tuple[Turned, ...] | None = None

    @property
    def turned(self) -> tuple[Turned, ...]:
        """What each entry shows to each audience class."""
        if self._turned is None:
            self._turned = self._make()
        return self._turned

    def stamped(self, entries: tuple[Entry, ...]) -> "Step":
        """Return the same step with `entries` that differ in their times only."""
        return Step(self.state, entries, lambda: self.turned)


class Repeated(Struct, frozen=True):
    """A command that was accepted before, as `version`."""

    version: int


def _unheard(_entry: Entry) -> None:
    """Nobody follows."""


class Match:
    """The authority's position and what each audience class was shown of it.

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
        """Versions at which each seat took something back."""
        self._decided: list[deque[int]] = [deque(maxlen=UNDO_DEPTH) for _ in range(seats)]
        """By seat, the versions at which its person decided something that still stands."""
        self._undoable = NOTHING
        self._ended = False
        """Whether the people agreed to end it."""
        self._snapshots: dict[tuple[int, bool], bytes] = {}
        self._choices: dict[int, Choices] = {}
        self._options = options
        self.state: Any = Course(rules, seats, options).state
        self._seen = self._look(self.state)
        self._rounds: list[tuple[tuple[int, ...], int]] = [(rules.round_of(self.state), 0)]
        """The rounds that led here, each with the version with which it began."""

    @property
    def owed(self) -> tuple[int, ...]:
        """The seats that must decide now."""
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
        """The encoded view of an audience class."""
        return self._seen[audience].encoded

    def digest(self, audience: int) -> int:
        """The digest of that view."""
        return self._seen[audience].digest

    def highest_command(self, seat: int) -> int:
        """The highest command accepted from a seat, 0 for none."""
        return self._commands[seat]

    def default(self, seat: int) -> bytes:
        """What is done for a seat that does not decide, encoded."""
        return codec.encode(engine.default(self.rules, self.state, seat))

    def submit(self, seat: int, command: int, frame: int, raw: bytes) -> Step | Repeated | Refusal:
        """Judge an encoded action; nothing changes before `commit`.

        `command` 0 marks what the server decides for a seat; `frame` 0 a standing action. Raises only for bugs.
        """
        again = self.answer_again(seat, command, frame, raw)
        if again is not None:
            return again
        if self._ended:
            return OVER
        try:
            action = self.rules.action_decoder.decode(raw)
        except codec.UNREADABLE as error:
            return Refusal("bad-action", "", codec.harmless(str(error)))
        if frame != self.frame and not (frame == 0 and isinstance(action, self.rules.standing.kinds)):
            return STALE
        if frame == 0 and self._standing[seat] >= MOST_STANDING:
            return Refusal("enough", "", "You have done that often enough in this match.")
        try:
            return self._play(Entry(self.version + 1, seat, command, frame, raw), action)
        except IllegalAction as illegal:
            return illegal.refusal

    def undo(self, seat: int, version: int) -> Step | Repeated | Refusal:
        """Take back the last decision of a seat that sees `version`; nothing changes before `commit`."""
        if self.has_undone(seat, version):
            return Repeated(version + 1)
        if version != self.version:
            return _HAPPENED
        if self.finished:
            return OVER
        if self._taken_back[seat] >= MOST_BACK:
            return _ENOUGH_BACK
        if not self._undoable.steps(seat):
            return self._undoable.why_closed(seat)
        last = self._undoable.decisions[-1]
        return self.rewind(seat, last.version, last.state)

    def has_undone(self, seat: int, version: int) -> bool:
        """Whether a seat took something back at that version: a request that names it again is the same one."""
        return version in self._undone[seat]

    def decided(self, seat: int) -> int | None:
        """The version at which a seat's person took their last decision that stands; None if none is in reach."""
        decided = self._decided[seat]
        return decided[-1] if decided and decided[-1] >= self.earliest else None

    def rewind(self, seat: int, to: int, then: Any) -> Step:
        """The position `then` of version `to` again, as the next version; nothing changes before `commit`. `seat`: who
        takes something back, NONE where all agreed."""
        entry = Entry(self.version + 1, seat, 0, 0, b"", Deed.BACK, to)
        return self._follow(Passed(entry, returned(self.state, then), []))

    @property
    def earliest(self) -> int:
        """The version with which the round before this one began, 0 where there was none."""
        return self._rounds[-2][1] if len(self._rounds) > 1 else 0

    def chance(self) -> Step | None:
        """The chance that is owed before anybody's decision, as right after the start; None if none is."""
        drawn = self._draw(self.state, self.version + 1)
        return self._play(*drawn) if drawn else None

    def mark(self, deed: Deed, action: bytes) -> Step:
        """An entry of the log that leaves the position as it is; nothing changes before `commit`."""
        entry = Entry(self.version + 1, NATURE, 0, 0, action, deed)
        looked = [Looked(Passed(entry, self.state, []), self._seen)]
        return Step(self.state, (entry,), partial(self._turn_all, looked, self.state, self._seen, self._undoable))

    def commit(self, step: Step) -> None:
        """Make a durable step the truth."""
        self.advance(step)
        self.remember(step)

    def advance(self, step: Step) -> None:
        """Make a durable step the position that is played; `remember` must follow before the next request."""
        last = step.turned[-1]
        self.state, self.version, self._seen, self._undoable = step.state, last.version, last.seen, last.undoable
        self._ended |= any(entry.deed is Deed.END for entry in step.entries)
        self._snapshots.clear()
        self._choices.clear()

    def remember(self, step: Step) -> None:
        """Keep what a step leaves behind for repeated commands, returning clients and undo."""
        for entry, turned in zip(step.entries, step.turned, strict=True):
            self._note(entry, turned.round)
            self._remember(turned)

    def replay(self, entries: Sequence[Entry], passed_by: Callable[[Entry], object] = _unheard) -> Iterator[int]:
        """Go through a kept log, from the start, and stop now and then to let others do something. `passed_by` is told
        of each entry once the position is where it led to.

        Raises where the rules no longer accept it. Yields the versions at which it stops.
        """
        shown_from = len(entries) - RING
        for i, passed in enumerate(Course(self.rules, self.seats, self._options).follow(entries)):
            if i % SLICE == SLICE - 1:
                yield self.version
            entry, before, self.state = passed.entry, self.state, passed.state
            self._note(entry, self.rules.round_of(self.state))
            passed_by(entry)
            if i >= shown_from:
                self._show_again(passed, before)
            elif i == shown_from - 1:
                self._seen = self._look(self.state)
            self.version = entry.n
        self._snapshots.clear()
        self._choices.clear()

    def _show_again(self, passed: Passed, before: Any) -> None:
        """Make the frames of an entry that is read from the log."""
        looked = Looked(passed, self._look(passed.state))
        try:
            turned = self._turn(looked, before, self._seen, self._undoable)
        except Exception:
            # The log has it and the position stands: a frame that cannot be made costs returning clients a snapshot.
            log.failure("no-frame", version=passed.entry.n)
            self._ring.clear()
            self._seen, self._undoable = looked.seen, NOTHING
        else:
            self._remember(turned)
            self._seen, self._undoable = turned.seen, turned.undoable

    def snapshot(self, audience: int, packed: bool = False) -> bytes:
        """The encoded `Snapshot` for an audience class, `packed` for who understands that."""
        key = audience, packed
        made = self._snapshots.get(key)
        if made is None:
            made = codec.pack(self.snapshot(audience)) if packed else self._snapshot(audience)
            self._snapshots[key] = made
        return made

    def _snapshot(self, audience: int) -> bytes:
        seen, undo = self._seen[audience], self._undoable.steps(audience)
        return codec.encode(Snapshot(self.version, seen.digest, Raw(seen.encoded), undo))

    def choices(self, seat: int) -> Choices:
        """What a seat that owes may do, as far as its view tells; `ref` 0."""
        made = self._choices.get(seat)
        if made is None:
            made = self._choices[seat] = choices(self.rules, self._seen[seat].view, seat)
        return made

    def tail(self, audience: int, have: int) -> list[bytes] | None:
        """The frames that lead from version `have` to now; None if they are no longer at hand."""
        missing = self.version - have
        if have == 0 or not 0 <= missing <= len(self._ring):
            return None
        return [frames[audience] for frames in list(self._ring)[len(self._ring) - missing :]]

    def answer_again(self, seat: int, command: int, frame: int, raw: bytes) -> Repeated | Refusal | None:
        """Return the answer to a command that was accepted before, whatever the match is like now; None for a new one
        and for what the server decides (command 0)."""
        if not command:
            return None
        version, print_ = self._answered[seat].get(command, (0, 0))
        if version and print_ == _fingerprint(frame, raw):
            return Repeated(version)
        if version:
            return Refusal("command-reused", "", "That command number was used for another action.")
        if command <= self._forgotten[seat]:
            return Refusal("command-old", "", "That command number is older than all that are remembered.")
        return None

    def story(self, audience: int) -> tuple[tuple[int, Raw], ...]:
        """The last events that an audience class was told, encoded, each with its version."""
        return tuple([(version, Raw(codec.encode(event))) for version, event in self._story[audience]])

    def backs(self) -> tuple[tuple[int, Back], ...]:
        """The last versions that led back, and where to."""
        return tuple(self._backs)

    def _remember(self, turned: Turned) -> None:
        self._ring.append(turned.frames)
        if turned.back is not None:
            self._backs.append((turned.version, turned.back))
        for story, told in zip(self._story, turned.told, strict=True):
            story.extend((turned.version, event) for event in told)

    def _count_rounds(self, entry: Entry, number: tuple[int, ...]) -> None:
        """An entry led to that round. What was taken back began none."""
        if entry.deed is Deed.BACK:
            self._rounds = [kept for kept in self._rounds if kept[1] <= entry.to]
        if not self._rounds or self._rounds[-1][0] != number:
            self._rounds.append((number, entry.n))

    def _note(self, entry: Entry, number: tuple[int, ...]) -> None:
        """Remember an entry, which led to that round."""
        self._count_rounds(entry, number)
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
        if len(answered) > REMEMBERED:
            oldest = next(iter(answered))
            del answered[oldest]
            self._forgotten[entry.seat] = max(self._forgotten[entry.seat], oldest)
        self._commands[entry.seat] = max(self._commands[entry.seat], entry.command)
        self._standing[entry.seat] += not entry.frame

    def _play(self, entry: Entry, action: Action) -> Step:
        """The action on a clone, then the chance that it calls for. Raises IllegalAction where it is not allowed."""
        return self._follow(self._played(self.state, entry, action))

    def _played(self, before: Any, entry: Entry, action: Action) -> Passed:
        passed = Passed(entry, before.clone(), [])
        engine.play(self.rules, passed.state, entry.seat, action, passed.events.append)
        return passed

    def _follow(self, passed: Passed) -> Step:
        """An entry that was carried out, and the chance that it calls for."""
        looked = [Looked(passed, self._look(passed.state))]
        while (drawn := self._draw(passed.state, passed.entry.n + 1)) is not None:
            passed = self._played(passed.state, *drawn)
            looked.append(Looked(passed, self._look(passed.state)))
        entries = tuple([each.passed.entry for each in looked])
        return Step(passed.state, entries, partial(self._turn_all, looked, self.state, self._seen, self._undoable))

    def _turn_all(
        self, looked: Sequence[Looked], before: Any, seen: tuple[Seen, ...], undoable: Undoable
    ) -> tuple[Turned, ...]:
        """What each entry of a step shows. `before`, `seen` and `undoable` belong to the position before the first."""
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

    def _look(self, state: Any) -> tuple[Seen, ...]:
        """What each class sees; classes that see the same share one object, and so its bytes."""
        distinct: list[Seen] = []
        found: list[Seen] = []
        for audience in self._audiences:
            view = self.rules.view(state, audience)
            # An open game hands the same lists to everybody: comparing is then far cheaper than encoding.
            for seen in distinct:
                if seen.view == view:
                    break
            else:
                encoded = codec.encode(view)
                seen = Seen(view, encoded, delta.digest(encoded))
                distinct.append(seen)
            found.append(seen)
        return tuple(found)

    def _turn(self, looked: Looked, before: Any, old: tuple[Seen, ...], undoable: Undoable) -> Turned:
        """What each class sees now, and the frame that takes it there. `before`: the position that the entry found, and
        `old` and `undoable` belong to it."""
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
            if key not in made:  # Equal ones share one frame.
                made[key] = codec.encode_frame(entry.n, seen.digest, change, heard, undo, back)
            frames.append(made[key])
        return Turned(entry.n, new, tuple(frames), told, undoable, back, self.rules.round_of(passed.state))

    def _is_secret(self, events: list[Event], changes: list[list[Any]], told: tuple[list[Event], ...]) -> bool:
        """Whether somebody learned a secret by a step, or the step made one that does not follow from what all saw."""
        kinds = self.rules.disclosing
        if kinds is None:
            return changes.count(changes[0]) < len(changes) or told.count(told[0]) < len(told)
        return any(isinstance(event, kinds) for event in events)

    def _told_all(self, events: list[Event]) -> tuple[list[Event], ...]:
        """What each class is told of that; in an open game all share one list."""
        if self.rules.event_for is engine.told_to_all:
            return (events,) * len(self._audiences)
        return tuple([self._told(events, audience) for audience in self._audiences])

    def _told(self, events: Sequence[Event], audience: int | None) -> list[Event]:
        """What a class is told of that."""
        return [told for event in events if (told := self.rules.event_for(event, audience)) is not None]

    def _changes(self, old: tuple[Seen, ...], new: tuple[Seen, ...]) -> list[list[Any]]:
        """How the view of each class changes; equal pairs share one delta."""
        known: delta.Known = {}
        made: dict[tuple[int, int], list[Any]] = {}
        for was, seen in zip(old, new, strict=True):
            pair = id(was), id(seen)
            if pair not in made:
                made[pair] = delta.diff(was.view, seen.view, known)
        return [made[id(was), id(seen)] for was, seen in zip(old, new, strict=True)]


def _fingerprint(frame: int, raw: bytes) -> int:
    return zlib.crc32(raw, frame)
