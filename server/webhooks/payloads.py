"""Webhook payloads: JSON, Discord, Slack, ntfy."""

import json
from collections.abc import Mapping
from email.header import Header
from typing import Final

from msgspec import Struct

from shared.language.catalogue import ENGLISH
from shared.language.sentence import render
from shared.sentences.notices import turn_note
from shared.tables import HookForm

_MARKS: Final = "\\*_~`|>#[]()<@"
"""Characters that Discord would read as markup."""


class Note(Struct, frozen=True):
    """Note that the players `who` must decide at a table.

    Without players it is the first note, which says what is sent here. `link`: leads to the table, "" if unknown.
    """

    match: str
    title: str
    game: str
    who: tuple[str, ...] = ()
    link: str = ""

    @property
    def text(self) -> str:
        """The note as a sentence, without the link."""
        return render(turn_note(self.who, self.title), ENGLISH, str)


class Body(Struct, frozen=True):
    """Headers and bytes of a request."""

    headers: Mapping[str, str]
    data: bytes


def body(form: HookForm, note: Note) -> Body:
    """Return the payload of a note in that form."""
    match form:
        case HookForm.DISCORD:
            # A player's name must not ping anyone.
            return _json(
                {"content": _with(_with_marks_escaped(note.text), note.link), "allowed_mentions": {"parse": []}}
            )
        case HookForm.SLACK:
            text = note.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return _json({"text": _with(text, note.link)})
        case HookForm.NTFY:
            click = {"Click": note.link} if note.link else {}
            headers = {"Content-Type": "text/plain; charset=utf-8", "Title": "Conquest", **click}
            return Body(headers, note.text.encode())
        case _:
            return _json({
                "event": "decide" if note.who else "hello", "match": note.match, "table": note.title,
                "game": note.game, "who": note.who, "text": note.text, "link": note.link,
            })  # fmt: skip


def body_of_ntfy(title: str, text: str, link: str) -> Body:
    """Return the payload of a player's notice for ntfy."""
    # Headers hold Latin letters only; ntfy decodes other ones that are written as RFC 2047 says.
    plain = title if title.isascii() and title.isprintable() else Header(title, "utf-8", maxlinelen=10_000).encode()
    headers = {"Content-Type": "text/plain; charset=utf-8", "Title": plain, **({"Click": link} if link else {})}
    return Body(headers, text.encode())


def body_of_discord(title: str, text: str, link: str, mention: str) -> Body:
    """Return the payload of a player's notice for Discord, which mentions the user with that id, "" for none."""
    to = f"<@{mention}> " if mention else ""
    content = f"{to}**{_with_marks_escaped(title)}**\n{_with_marks_escaped(text)}"
    users = {"users": [mention]} if mention else {}
    return _json({"content": _with(content, link), "allowed_mentions": {"parse": [], **users}})


def _with_marks_escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in _MARKS else letter for letter in text)


def _json(value: object) -> Body:
    data = json.dumps(value, ensure_ascii=False).encode()
    return Body({"Content-Type": "application/json; charset=utf-8"}, data)


def _with(text: str, link: str) -> str:
    return f"{text}\n{link}" if link else text
