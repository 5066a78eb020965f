"""Records of matches: files that end in `.conquest`."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from os import PathLike
from pathlib import Path

from conquest.arguments import checked
from conquest.views import View
from protocol import codec, record
from protocol.audit import Verdict, audit
from shared.history import GENESIS, Course, Deed, Entry, chain
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset, rules_of
from shared.rulesets.registry import RULESETS


class Record:
    """Record of a match: its players, its game, all actions, and the proof of the dice if a server wrote it."""

    def __init__(self, raw: record.Record) -> None:
        self.raw = raw
        """The record as the protocol defines it."""

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.raw.ruleset

    @property
    def title(self) -> str:
        """Title of the table."""
        return self.raw.title

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players, by seat; of bots their level."""
        return tuple([sitter.name or sitter.bot for sitter in self.raw.seats])

    @property
    def options(self) -> dict[str, int]:
        """Options of the table."""
        return dict(self.raw.options)

    def __len__(self) -> int:
        """Return the number of entries: decisions, chance, undo and time."""
        return len(self.raw.log)

    @property
    def rules(self) -> AnyRuleset:
        """Rules of the match, in the version with which it began. Raises ValueError if they cannot be played here."""
        return rules_of(RULESETS, self.raw.ruleset, self.raw.version)

    def replay(self) -> Iterator[View]:
        """Yield the whole position at the start and after each entry. Raises ValueError if the record is damaged."""
        rules = self.rules
        course = Course(rules, len(self.raw.seats), self.raw.options)
        yield View(rules, course.state, "all")
        for passed in course.follow(record.entries(self.raw)):
            yield View(rules, passed.state, "all")

    @checked
    def moves(self, entries: int | None = None) -> list[tuple[Seat, Action]]:
        """Return seats and actions of the first entries, by default of all, without those that were taken back."""
        decode = self.rules.action_decoder.decode
        # By version, the entry with the last action before it, and the version before that action.
        before: list[tuple[int, Entry | None]] = [(0, None)]
        for entry in record.entries(self.raw)[:entries]:
            if entry.deed is Deed.PLAY:
                before.append((entry.n - 1, entry))
            else:
                before.append(before[entry.to if entry.deed is Deed.BACK else entry.n - 1])
        found, (at, last) = [], before[-1]
        while last is not None:
            found.append((last.seat, decode(last.action)))
            at, last = before[at]
        return found[::-1]

    def verify(self) -> Verdict:
        """Check every action by the rules, the dice by their proof, and the signature. It takes some seconds at most.

        Raises ImportError if the package `cryptography` is needed and missing.
        """
        return audit(self.raw)

    @checked
    def save(self, path: str | PathLike[str]) -> None:
        """Write the record to a file."""
        Path(path).write_bytes(record.write(self.raw))

    def __repr__(self) -> str:
        return f"<Record {self.title!r}: {self.game}, {', '.join(self.players)}, {len(self)} entries>"


@checked
def read(path: str | PathLike[str]) -> Record:
    """Return the record in a file. Raises ValueError if it holds none, OSError if it cannot be read."""
    with Path(path).open("rb") as file:  # Devices and pipes may never end.
        return Record(record.read(file.read(record.MAX_FILE + 1)))


@checked
def verify(path: str | PathLike[str]) -> Verdict:
    """Check the record in a file, see `Record.verify`. `Verdict.wrong` says what is wrong."""
    return read(path).verify()


def written(
    rules: AnyRuleset,
    seats: int,
    options: Mapping[str, int],
    moves: Sequence[tuple[Seat, Action]],
    names: Sequence[str],
    title: str,
) -> Record:
    """Return the record of these actions. Its id depends on them alone, so that it is repeatable."""
    check, log = GENESIS, []
    for n, (seat, action) in enumerate(moves, 1):
        entry = codec.encode(Entry(n, seat, 0, 0, codec.encode(action)))
        check = chain(check, entry)
        log.append(entry)
    sitters = tuple([record.Sitter(name) for name in _names(names, seats)])
    match = blake2b(check, digest_size=8).hexdigest()
    return Record(record.Record(match, title, rules.id, rules.version, dict(options), sitters, tuple(log), check))


def _names(names: Sequence[str], seats: int) -> list[str]:
    if len(names) not in (0, seats):
        raise ValueError(f"{seats} names are needed, not {len(names)}.")
    return [names[seat] if names else f"Player {seat + 1}" for seat in range(seats)]
