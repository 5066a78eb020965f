"""Audit of a match's file: the log by the rules, every roll by the proof, all of it by the signature.

It needs nothing but the file. People who were at the table can add what they saw there, as a `Witness`.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from protocol import codec, record
from protocol.record import BadRecord, DiceProof, Record
from shared import proof
from shared.clocks import Timing
from shared.history import Course, Deed, Entry, LogStep
from shared.ids import NATURE, Seat
from shared.kernel import chance, engine
from shared.kernel.frames import Dice
from shared.kernel.ruleset import IllegalAction, UnknownRules, rules_of
from shared.proof import Lots
from shared.refusal import BrokenRules
from shared.rulesets.registry import RULESETS

COMMANDS: Final = 2**32
NO_PROOF: Final = "no proof of the dice"
_REFUSED: Final = (*codec.UNREADABLE, IllegalAction, BrokenRules, LookupError, ValueError, TypeError, OverflowError)
"""Exceptions that rules may raise for a log which was never played."""


class Witness(Struct, frozen=True):
    """Facts that a player saw at the table: the commitment, and the number that they gave from that seat."""

    commitment: bytes
    seat: Seat = -1
    number: bytes = b""


class Verdict(Struct, frozen=True, omit_defaults=False):
    """Findings of an audit.

    holds: whether the file is what a server wrote of a match played by the rules, with dice that were fixed before it.
    wrong: the fault in a sentence, "" if there is none; "no proof of the dice" if everything else holds.
    rules: whether every entry is legal. proven: whether every roll, draw and deal follows from the proof. signed:
    whether header and log are the ones that the server signed. finished: whether the match was played to an end.
    entries: of the log; decisions: of players; rolls: rolls, draws and deals; dice: number of dice that fell. bits:
    amount
    of chance in all of them. A forger with other dice needs 2 to the power of so many tries for a match that looks the
    same. A file with few bits therefore says little to people who did not see the commitment.
    fingerprint: the last check of the log, in hexadecimal digits; two files of one match have the same.
    """

    holds: bool
    wrong: str
    match: str
    title: str
    ruleset: str
    version: int
    seats: tuple[str, ...]
    entries: int
    finished: bool = False
    decisions: int = 0
    rolls: int = 0
    dice: int = 0
    bits: int = 0
    rules: bool = False
    proven: bool = False
    signed: bool = False
    numbers: int = 0
    commitment: str = ""
    fingerprint: str = ""


class Wrong(Exception):
    """Raised for a fault; the text is a sentence."""


class _Walk:
    """A walk along the log, entry by entry. `lots`: the draws that the proof gives, None if there is no proof."""

    def __init__(self, course: Course, lots: Lots | None) -> None:
        self.passed = self.decisions = self.rolls = self.dice = 0
        self.bits = 0.0
        self.over = False
        self._rules = course.rules
        self._proven_lots = lots
        self._before: Any = course.state
        self._commands: set[tuple[Seat, int]] = set()

    def heed(self, passed: LogStep) -> None:
        """Check one step, which the rules have accepted. Raises Wrong."""
        entry = passed.entry
        if self.over or self._rules.finished(self._before):
            raise Wrong("it comes after the end")
        rolling = engine.owed(self._rules, self._before) == (NATURE,)
        # Without this a forger could put entries before a roll until the dice suit.
        if rolling and (entry.deed is not Deed.PLAY or entry.seat != NATURE):
            raise Wrong("dice are to be rolled first")
        if rolling:
            self._roll(entry)
        elif entry.deed is Deed.PLAY:
            self._decide(entry)
        elif entry.deed is Deed.BACK:
            if entry.action or entry.command or entry.frame or not 0 <= entry.to < entry.n:
                raise Wrong("nothing can go back like that")
        elif entry.deed is Deed.TIME:
            Timing.of(entry)
        self.passed += 1
        self.over = entry.deed is Deed.END
        self._before = passed.state

    @property
    def finished(self) -> bool:
        """Whether the match has come to an end."""
        return self.over or bool(self._rules.finished(self._before))

    def _roll(self, entry: Entry) -> None:
        frame = engine.top(self._before)
        self.rolls += 1
        self.dice += frame.count if isinstance(frame, Dice) else 0
        self.bits += math.log2(chance.outcomes(frame))
        if entry.command or entry.frame not in (0, frame.no):
            raise Wrong("it does not answer what was owed")
        if self._proven_lots is not None and entry.action != codec.encode(self._proven_lots.draw(entry.n, frame)):
            raise Wrong("this is not what was drawn")

    def _decide(self, entry: Entry) -> None:
        action = self._rules.action_decoder.decode(entry.action)
        standing = isinstance(action, self._rules.standing.kinds)
        # Logs of lessons, which are written by hand, name no frames.
        free = entry.frame == 0 and (standing or not entry.command)
        if not free and entry.frame != engine.top(self._before).no:
            raise Wrong("it does not answer what was owed")
        if not 0 <= entry.command < COMMANDS or (entry.seat, entry.command) in self._commands:
            raise Wrong("its command was used before")
        if entry.command:
            self._commands.add((entry.seat, entry.command))
        self.decisions += 1


def audit(match: Record, witness: Witness | None = None) -> Verdict:
    """Audit a match. Takes as long as playing the match again: some seconds at most. Never raises."""
    found = _Finding(match)
    try:
        found.look(witness)
    except (Wrong, BadRecord) as error:
        return found.verdict(str(error))
    return found.verdict("" if match.proof is not None else NO_PROOF)


class _Finding:
    """The findings so far about a file."""

    def __init__(self, match: Record) -> None:
        self._match = match
        self._walk: _Walk | None = None
        self._rules = self._proven = self._signed = False

    def look(self, witness: Witness | None) -> None:
        """Check everything in its order. Raises Wrong, BadRecord."""
        match = self._match
        entries = record.entries(match)
        lots = None if match.proof is None else _proven_lots(match, match.proof)
        self._follow(entries, lots)
        if match.proof is None or self._walk is None:
            return
        self._proven = True
        if not self._walk.finished:
            raise Wrong("The match is not over, and yet the secret of its dice is known.")
        if not record.is_as_signed(match):
            raise Wrong("The signature is not one under this match: something in it was changed.")
        self._signed = True
        if witness is not None:
            _compare_with_witness(match, match.proof, witness)

    def _follow(self, entries: Sequence[Entry], lots: Lots | None) -> None:
        course = _course(self._match)
        walk = self._walk = _Walk(course, lots)
        try:
            for passed in course.follow(entries):
                walk.heed(passed)
        except Wrong as error:
            raise Wrong(f"Entry {walk.passed + 1} of the log cannot be: {error}.") from None
        except _REFUSED as error:
            # Other errors are not shown: their text is meant for us and may repeat the file.
            reason = error.refusal.text if isinstance(error, IllegalAction) else "that decision is impossible there."
            raise Wrong(f"Entry {walk.passed + 1} of the log is against the rules: {codec.harmless(reason)}") from None
        self._rules = True

    def verdict(self, wrong: str) -> Verdict:
        """Return the verdict with all findings."""
        match, walk, given = self._match, self._walk, self._match.proof
        return Verdict(
            holds=not wrong,
            wrong=wrong,
            match=match.match,
            title=match.title,
            ruleset=match.ruleset,
            version=match.version,
            seats=tuple([sitter.name or f"({sitter.bot})" for sitter in match.seats]),
            entries=len(match.log),
            finished=self._rules and walk is not None and walk.finished,
            decisions=walk.decisions if walk else 0,
            rolls=walk.rolls if walk else 0,
            dice=walk.dice if walk else 0,
            bits=int(walk.bits) if walk else 0,
            rules=self._rules,
            proven=self._proven,
            signed=self._signed,
            numbers=sum(map(bool, given.numbers)) if given else 0,
            commitment=proof.commitment(given.secret, given.key).hex() if given else "",
            fingerprint=match.check.hex(),
        )


def _course(match: Record) -> Course:
    """Return the course of the match at its start. Raises Wrong."""
    try:
        rules = rules_of(RULESETS, match.ruleset, match.version)
    except UnknownRules as error:
        raise Wrong(str(error)) from None
    try:
        return Course(rules, len(match.seats), match.options)
    except ValueError as error:
        raise Wrong(f"There is no such match: {error}") from None


def _proven_lots(match: Record, given: DiceProof) -> Lots:
    """Return the draws that the proof gives. Raises Wrong."""
    sizes = {len(number) for number in given.numbers}
    if len(given.numbers) != len(match.seats) or not sizes <= {0, proof.SIZE} or len(given.key) != proof.SIZE:
        raise Wrong("The proof of the dice is not one for these seats.")
    return Lots(given.secret, given.key, match.match, given.numbers)


def _compare_with_witness(match: Record, given: DiceProof, witness: Witness) -> None:
    """Compare the file with what a witness saw. Raises Wrong if they differ."""
    if proof.commitment(given.secret, given.key) != witness.commitment:
        raise Wrong("The server has published another secret than the one it had committed itself to.")
    if witness.number and (witness.seat >= len(match.seats) or given.numbers[witness.seat] != witness.number):
        raise Wrong("The number that you gave is not among those that the dice were made from.")
