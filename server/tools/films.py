"""Worker process that makes films: `python -m server.tools.films`. Questions and answers are MessagePack."""

import msgspec

from server.archive.film_builder import made
from server.matches.match_archive import FilmRequest
from server.subprocess_workers import attend
from shared.rulesets.registry import RULESETS


def main() -> None:
    """Answer questions until the input ends."""
    attend(lambda question: msgspec.msgpack.encode(made(msgspec.msgpack.decode(question, type=FilmRequest), RULESETS)))


if __name__ == "__main__":
    main()
