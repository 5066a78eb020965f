"""Page that stops a player's mails by the link in each of them, without a login and without a program."""

from collections.abc import Callable
from html import escape
from typing import Final
from urllib.parse import parse_qs

from msgspec import structs

from server.web.site import FORM_POLICY, File, file_of
from server.webhooks.languages import catalogue_of
from server.webhooks.notifier import ONE_CLICK, STOP
from shared.language.sentence import Sentence, render
from shared.messages import NoticeSettings
from shared.sentences.notices import stop_button, stop_question, stopped, stopped_before

_NEVER_KEPT: Final = "no-store"
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="{language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Conquest</title></head>
<body><h1>Conquest</h1><p>{text}</p>{more}</body>
</html>
"""


class StopPage:
    """Page that asks whether mails shall end, and ends them.

    `stops`: returns the settings of the player whose mails a key stops, None if it stops none. `stop`: stops them.
    """

    def __init__(self, stops: Callable[[str], NoticeSettings | None], stop: Callable[[str], None]) -> None:
        self._stops = stops
        self._stop = stop

    def answer(self, query: str, posted: bytes | None) -> File:
        """Return the page; stop the mails if `posted` is `ONE_CLICK`. `posted`: body of a POST, else None.

        Mail programs and scanners open links to check them, so reading the page only asks. Programs may send the pair
        as `multipart/form-data`, with name and value apart.
        """
        key = parse_qs(query).get("key", [""])[0]
        settings = self._stops(key)
        if settings is None:
            return _page("en", stopped_before())
        name, _, value = ONE_CLICK.partition("=")
        if posted is None or not all(part.encode() in posted for part in (name, value)):
            words = escape(render(stop_button(), catalogue_of(settings.language), str))
            # A relative address, because a proxy may add a path.
            form = f'<form method="post" action="{STOP[1:]}?key={escape(key)}">'
            button = f'{form}<button name="{name}" value="{value}">{words}</button></form>'
            return _page(settings.language, stop_question(settings.mail), button)
        self._stop(key)
        return _page(settings.language, stopped())


def _page(language: str, text: Sentence, more: str = "") -> File:
    words = catalogue_of(language)
    code = language.partition("-")[0].lower() if words.texts else "en"
    said = escape(render(text, words, str))
    file = file_of("stop.html", _PAGE.format(language=code, text=said, more=more).encode(), _NEVER_KEPT)
    return structs.replace(file, policy=FORM_POLICY)
