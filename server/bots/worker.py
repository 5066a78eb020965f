"""A process in which bots think: `python -m server.bots.worker`. Questions on standard input, answers on output.

Each is a MessagePack document behind its length in four bytes, big end first.
"""

import os
import queue
import random
import signal
import struct
import sys
import threading
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from server.bots import advice, policy
from server.bots.search.budget import Thinking
from shared.levels import SECONDS
from shared.rulesets.registry import ruleset

LENGTH: Final = struct.Struct(">I")
BEHIND: Final = 10
"""By how much a bot's thoughts stand behind the server, where both want the same core."""
READY: Final = b"!"
"""Written once, before the first answer: from now on a thought takes as long as it takes."""


class Question(Struct, array_like=True, frozen=True):
    """What does a bot of that `kind` (a name in `policy.POLICIES`) do on that seat? `view` is encoded. With `why`: and
    what does it say about it? `seconds`: how long it may think, where it does."""

    ruleset: str
    kind: str
    seat: int
    view: bytes
    seed: int
    why: bool = False
    seconds: float = SECONDS


class Answer(Struct, array_like=True, frozen=True):
    """An encoded action, and what is said about it, see `Counsel`; else what was wrong with the question, in words."""

    action: bytes
    wrong: str = ""
    words: str = ""
    why: tuple[str, ...] = ()


def main() -> None:
    """Answer until the input ends: with whoever asks, even in the middle of a thought."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's business.
    if sys.platform != "win32":
        os.nice(BEHIND)
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # What a bot prints is not an answer.
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, waiting), name="questions", daemon=True).start()
    answers.write(READY)
    answers.flush()
    while True:
        answer = msgspec.msgpack.encode(_decide(msgspec.msgpack.decode(waiting.get(), type=Question)))
        answers.write(LENGTH.pack(len(answer)) + answer)
        answers.flush()


def _listen(source: BinaryIO, waiting: "queue.SimpleQueue[bytes]") -> None:
    while head := source.read(LENGTH.size):
        waiting.put(source.read(*LENGTH.unpack(head)))
    os._exit(0)


def _decide(question: Question) -> Answer:
    try:
        rules = ruleset(question.ruleset)
        view = rules.view_decoder.decode(question.view)
        thinking = Thinking.lasting(question.seconds)
        action = policy.choose(question.kind, rules, view, question.seat, random.Random(question.seed), thinking)
    except ValueError as error:
        return Answer(b"", str(error))
    if question.why:
        action, words, why = advice.explained(rules, view, question.seat, action)
        return Answer(msgspec.msgpack.encode(action), "", words, why)
    return Answer(msgspec.msgpack.encode(action))


if __name__ == "__main__":
    main()
