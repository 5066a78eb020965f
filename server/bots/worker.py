"""A process in which bots think: `python -m server.bots.worker`. Questions and answers are MessagePack documents."""

import random

import msgspec
from msgspec import Struct

from server.bots import advice, policy
from server.bots.search.budget import Thinking
from server.workers import attend
from shared.levels import SECONDS
from shared.rulesets.registry import ruleset


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
    """Answer until the input ends."""
    attend(_answer)


def _answer(question: bytes) -> bytes:
    return msgspec.msgpack.encode(_decide(msgspec.msgpack.decode(question, type=Question)))


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
