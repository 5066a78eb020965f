"""Alerts to players that they must decide, and their words in each language."""

from datetime import datetime
from typing import Final

from msgspec import Struct

from server.webhooks.languages import catalogue_of
from server.webhooks.quiet_hours import zone_of
from shared.language.sentence import Sentence, render
from shared.sentences.notices import decide_until, turn_alert, turn_reminder

_UTC: Final = "UTC"


class Alert(Struct, frozen=True):
    """Alert that a player must decide at a table; without `match`, a trial.

    `names`: of the seats. `what`: the decision, None if it cannot be said. `code`: opens the table. `until`: the date
    at which the player's time is up, in seconds since 1970, 0 without a clock. `reminder`: whether it was told before.
    """

    match: str
    title: str
    game: str
    code: str
    names: tuple[str, ...]
    what: Sentence | None = None
    until: float = 0.0
    reminder: bool = False


class AlertText(Struct, frozen=True):
    """Words of an alert, and the language in which they are."""

    title: str
    body: str
    language: str


def text_of(alert: Alert, language: str, zone: str = _UTC) -> AlertText:
    """Return the words of an alert in a language, with times of that time zone."""
    words = catalogue_of(language)

    def name(seat: int) -> str:
        known = alert.names[seat] if 0 <= seat < len(alert.names) else ""
        return known or render(Sentence("Seat {what}", {"what": seat + 1}), words, str)

    decision = "" if alert.what is None else render(alert.what, words, name)
    body = ": ".join(filter(None, (alert.game, decision)))
    if alert.until:
        ended = "" if body.endswith((".", "!", "?")) else "."
        body = f"{body}{ended} {render(decide_until(_date(alert.until, zone)), words, name)}"
    titled = turn_reminder(alert.title) if alert.reminder else turn_alert(alert.title)
    title = render(titled, words, name) if alert.match else alert.title
    return AlertText(title, body, language if words.texts else "en")


def _date(seconds: float, zone: str) -> str:
    """Return a date as people write it in every language: year, month, day, hour, minute, and the zone's short name."""
    date = datetime.fromtimestamp(seconds, zone_of(zone))
    name = date.tzname() or _UTC
    return f"{date:%Y-%m-%d %H:%M} {name if name[:1].isalpha() else _UTC + name}"
