"""Players of other authors in processes of their own: `python -m conquest.player_process FILE.py:CLASS`.

A player gets views of its seat and nothing else, and a deadline for each decision. A player that is slow, dies or
answers with an illegal action costs only its own decision. The process is no sandbox: it may do what its user may.
"""

import contextlib
import importlib
import importlib.util
import io
import math
import os
import queue
import subprocess
import sys
import threading
import traceback
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

import msgspec
from msgspec import Struct

from conquest.actions import Action, Legal
from conquest.players import Player
from conquest.position import Position
from conquest.views import View
from shared.ids import Seat
from shared.kernel import engine, frames
from shared.kernel.ruleset import AnyRuleset, rules_of
from shared.rulesets.registry import RULESETS
from shared.tables import printable

DEADLINE: Final = 10.0
"""Seconds for a decision, unless the caller gives others."""
LOADING: Final = 60.0
"""Seconds for the process to load the player."""
MOST_FAULTS: Final = 3
"""Faults in one match after which a player is not asked any more: waiting for each deadline would hold up all."""
MOST_BYTES: Final = 65_536
"""Longest answer, and longest printed line, of which the rest follows as another one."""
_WRONG: Final = 1000
"""Characters of an error that are told."""
_LENGTH: Final = 4
"""Bytes of the length, big-endian, before each document."""


class DecisionRequest(Struct, array_like=True):
    """Decision to take. `match`: a new number makes a new player, seeded by `seed`."""

    match: str
    seed: str
    game: str
    version: int
    seat: int
    view: bytes


class DecisionAnswer(Struct, array_like=True):
    """Action taken, encoded; or `wrong`, the reason why there is none."""

    action: bytes = b""
    wrong: str = ""


class PlayerFault(Exception):
    """Raised for a decision that a player did not take; the message says why."""


class PlayerProcess:
    """Player in a process of its own. Raises ValueError if it cannot be loaded.

    name: ``"mine.py:Mine"``, a file and a class in it, or ``"package.module:Mine"``.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.faults = 0
        """Decisions in the present match that the player did not take."""
        self._match = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._start()

    def _start(self) -> None:
        # -P: a file of the author's folder must not be imported in place of a package.
        command = (sys.executable, "-P", "-m", "conquest.player_process", self.name)
        pipe = subprocess.PIPE
        # In a session of its own, so that Ctrl-C in the terminal does not reach it.
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        # No more is read than was asked for: a player that writes on and on must not fill the memory.
        self._requests = threading.Semaphore(0)
        collecting = (self._process.stdout, self._answers, self._requests)
        threading.Thread(target=_queue_answers, args=collecting, daemon=True).start()
        self._printing = threading.Thread(target=_print_all, args=(self._process.stderr,), daemon=True)
        self._printing.start()
        try:
            ready = self._receive(LOADING)
        except PlayerFault as fault:
            self.close()
            raise ValueError(f"Player {self.name!r} cannot be loaded: {fault}") from None
        if ready.wrong:
            self.close()
            raise ValueError(f"Player {self.name!r} cannot be loaded: {ready.wrong}")

    def decide(
        self,
        rules: AnyRuleset,
        view: Any,
        seat: Seat,
        match: str,
        seed: str,
        deadline: float = DEADLINE,
    ) -> frames.Action:
        """Return the player's action for a view of the rules. Raises PlayerFault, after which it may be asked again."""
        if match != self._match:
            self._match, self.faults = match, 0
        if self.faults >= MOST_FAULTS:
            raise PlayerFault(f"it failed {MOST_FAULTS} times in this match")
        request = DecisionRequest(match, seed, rules.id, rules.version, seat, msgspec.msgpack.encode(view))
        try:
            return self._decided(rules, view, seat, request, deadline)
        except PlayerFault:
            self.faults += 1
            raise

    def _decided(
        self, rules: AnyRuleset, view: Any, seat: Seat, request: DecisionRequest, deadline: float
    ) -> frames.Action:
        if self._process is None:
            with contextlib.suppress(ValueError):
                self._start()
        self._send(request)
        try:
            answer = self._receive(deadline)
        except PlayerFault:
            self.close()
            raise
        if answer.wrong:
            raise PlayerFault(answer.wrong)
        try:
            action: frames.Action = rules.action_decoder.decode(answer.action)
        except msgspec.MsgspecError:
            raise PlayerFault("its answer is no action of the game") from None
        refusal = engine.check(rules, view, seat, action)
        if refusal is not None:
            raise PlayerFault(f"it chose an illegal action: {refusal.text}")
        return action

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            # So that the reading thread, which waits for a request, sees the end.
            self._requests.release()
            self._printing.join(1.0)
            self._process = None

    def _send(self, request: DecisionRequest) -> None:
        if self._process is None or self._process.stdin is None:
            raise PlayerFault("its process does not start again")
        try:
            _write(self._process.stdin, msgspec.msgpack.encode(request))
        except OSError:
            self.close()
            raise PlayerFault("its process has ended") from None

    def _receive(self, seconds: float) -> DecisionAnswer:
        self._requests.release()
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise PlayerFault(f"it took longer than {seconds:g} seconds") from None
        if not answer:
            raise PlayerFault("its process has ended")
        if len(answer) > MOST_BYTES:
            raise PlayerFault(f"its answer has more than {MOST_BYTES} bytes")
        try:
            decoded = msgspec.msgpack.decode(answer, type=DecisionAnswer)
        except msgspec.MsgspecError:
            raise PlayerFault("its process wrote something else than an answer") from None
        return DecisionAnswer(decoded.action, printable(decoded.wrong))


def _queue_answers(source: IO[bytes] | None, answers: queue.SimpleQueue[bytes], requests: threading.Semaphore) -> None:
    """Put each wanted document into the queue, at last an empty one."""
    assert source is not None
    with source:
        while requests.acquire() and (document := _read(source, MOST_BYTES + 1)):
            answers.put(document)
    answers.put(b"")


def _print_all(source: IO[bytes] | None) -> None:
    """Print what the player prints, without signs that move the cursor."""
    assert source is not None
    with source:
        for line in iter(partial(source.readline, MOST_BYTES), b""):
            print(printable(line.decode(errors="replace").rstrip("\r\n")), file=sys.stderr, flush=True)


def _read(source: IO[bytes], most: float = math.inf) -> bytes:
    length = int.from_bytes(source.read(_LENGTH), "big")
    return source.read(int(min(length, most)))


def _write(sink: IO[bytes], document: bytes) -> None:
    sink.write(len(document).to_bytes(_LENGTH, "big") + document)
    sink.flush()


# --- inside the process ---


def load(name: str) -> type[Player]:
    """Return the class of a player. Raises ValueError if there is none.

    name: ``"mine.py:Mine"``, or ``"package.module:Mine"``.
    """
    place, colon, attribute = name.rpartition(":")
    if not colon or not attribute.isidentifier():
        raise ValueError(f"Say a file and a class, such as mine.py:Mine, not {name!r}.")
    # At the end: the author's files must not hide installed packages.
    sys.path.append(str(Path(place).resolve().parent if place.endswith(".py") else Path.cwd()))
    found = getattr(_module(place), attribute, None)
    if not isinstance(found, type) or not callable(getattr(found, "decide", None)):
        raise ValueError(f"{place} has no class {attribute!r} with a method decide(view, legal).")
    return found


def _module(place: str) -> Any:
    if not place.endswith(".py"):
        return importlib.import_module(place)
    spec = importlib.util.spec_from_file_location(Path(place).stem, place)
    if spec is None or spec.loader is None or not Path(place).is_file():
        raise ValueError(f"There is no file {place}.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class _Table:
    """The player of the present match, and its answers."""

    def __init__(self, kind: type[Player]) -> None:
        self._kind = kind
        self._match = ""
        self._player: Player | None = None
        self._printed: set[str] = set()

    def answer(self, question: DecisionRequest) -> DecisionAnswer:
        """Return the player's decision, or its error."""
        try:
            return DecisionAnswer(self._decide(question))
        except Exception as error:
            self._print(error)
            return DecisionAnswer(wrong=f"{type(error).__name__}: {error}"[:_WRONG])

    def _print(self, error: Exception) -> None:
        """Print where the player failed, once for each place."""
        place = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        if str(place) not in self._printed:
            self._printed.add(str(place))
            traceback.print_exception(error)

    def _decide(self, question: DecisionRequest) -> bytes:
        if question.match != self._match or self._player is None:
            self._match, self._player = question.match, self._kind(question.seed)
        rules = rules_of(RULESETS, question.game, question.version)
        raw = rules.view_decoder.decode(question.view)
        legal = Legal(rules, Position(rules, raw, lent=True), question.seat)
        action = self._player.decide(View(rules, raw, question.seat), legal)
        if isinstance(action, str):
            action = legal.read(action)
        if not isinstance(action, Action):
            raise TypeError(f"decide returned {action!r} instead of one of the legal actions")
        return action.packed


def main(name: str) -> None:
    """Answer questions until the input ends."""
    source, sink = sys.stdin.buffer, io.FileIO(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # Printed text must not be taken for an answer.
    answers = io.BufferedWriter(sink)
    try:
        table = _Table(load(name))
    except Exception as error:
        _write(answers, msgspec.msgpack.encode(DecisionAnswer(wrong=f"{type(error).__name__}: {error}"[:_WRONG])))
        return
    _write(answers, msgspec.msgpack.encode(DecisionAnswer()))
    while document := _read(source):
        answer = table.answer(msgspec.msgpack.decode(document, type=DecisionRequest))
        _write(answers, msgspec.msgpack.encode(answer))


if __name__ == "__main__":
    main(sys.argv[1])
