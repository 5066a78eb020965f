"""The page reads the wire as it is written down: samples, recorded matches, names of fields."""

import json
import re
from pathlib import Path
from typing import Any, get_args

from client.workshop.page.__main__ import FILES
from shared import messages, tables
from shared.actions import description
from tests.clients.runtime import answer, needs_node
from tests.web.test_words import HERE, bundle

SAMPLES = Path(__file__).parents[2] / "protocol" / "samples"
STREAMS = sorted(path.name for path in SAMPLES.glob("stream*.json"))
LINK = (FILES / "wire" / "link.js").read_text("utf-8")


@needs_node
def test_every_recorded_match_adds_up_and_every_sample_is_written_again_as_it_was(tmp_path: Path) -> None:
    found = answer(HERE / "wire.mjs", bundle(tmp_path), SAMPLES)
    assert found["streams"] == STREAMS and found["wrong"] == []
    assert found["digests"] > 400
    assert found["samples"] > 20


def fields(kind: Any) -> list[str]:
    return ["kindOf" if name == "kind" and kind.__struct_config__.tag is not None else name
            for name in kind.__struct_fields__]  # fmt: skip


def table(name: str) -> str:
    """Return a table of the page's program, by its name."""
    found = re.search(rf"const {name} = \{{(.*?)\}};", LINK, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_fields_of_messages_have_their_names() -> None:
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(messages.ServerMessage)}
    read = {int(tag): json.loads(f"[{names}]") for tag, names in re.findall(r"(\d+): \[([^\]]*)\]", table("MESSAGES"))}
    assert len(read) > 12
    for tag, (name, *names) in read.items():
        assert [kinds[tag].__name__, *fields(kinds[tag])[: len(names)]] == [name, *names]


def test_the_fields_of_their_parts_have_their_names() -> None:
    read = {name: json.loads(f"[{names}]") for name, names in re.findall(r"(\w+): \[([^\]]*)\]", table("PARTS"))}
    assert len(read) > 6
    for name, names in read.items():
        kind = next(kind for place in (messages, tables, description) if (kind := getattr(place, name, None)))
        assert list(kind.__struct_fields__[: len(names)]) == names


def test_requests_have_their_tags() -> None:
    tags = {kind.__name__: kind.__struct_config__.tag for kind in get_args(messages.ClientMessage)}
    read = dict(re.findall(r"(\w+): (\d+)", table("REQUESTS")))
    assert read and all(tags[name] == int(tag) for name, tag in read.items())
