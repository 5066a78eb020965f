"""Worker process of the bots: `python -m server.bots.worker`. Questions and answers are MessagePack documents."""

import random

import msgspec

from server.bots import advice, policy
from server.bots.questions import BotAnswer, BotRequest
from server.bots.search.budget import Thinking
from server.subprocess_workers import attend
from shared.rulesets.registry import ruleset


def main() -> None:
    """Answer questions until the input ends."""
    attend(_answer)


def _answer(question: bytes) -> bytes:
    return msgspec.msgpack.encode(_decide(msgspec.msgpack.decode(question, type=BotRequest)))


def _decide(question: BotRequest) -> BotAnswer:
    try:
        rules = ruleset(question.ruleset)
        view = rules.view_decoder.decode(question.view)
        thinking = Thinking.lasting(question.seconds)
        kind = question.kind or policy.strongest(question.ruleset)
        action = policy.choose(kind, rules, view, question.seat, random.Random(question.seed), thinking)
    except ValueError as error:
        return BotAnswer(b"", str(error))
    if question.why:
        action, advice_given = advice.explained(rules, view, question.seat, action)
        words, *why = [advice.english(each) for each in advice_given] or [""]
        sentences = tuple([msgspec.Raw(msgspec.msgpack.encode(each)) for each in advice_given])
        return BotAnswer(msgspec.msgpack.encode(action), "", words, tuple(why), sentences)
    return BotAnswer(msgspec.msgpack.encode(action))


if __name__ == "__main__":
    main()
