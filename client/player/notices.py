"""Notices of the player's turn outside of the game: their settings as typed words, and in words for the player."""

import re
from typing import Final

from msgspec import structs
from tzlocal import get_localzone_name

from client.language import _, chosen, of_system
from client.player.clock_presets import exact
from shared.messages import NoticeSettings, Notifying
from shared.tables import NoticeWay, NoticeWhen

_TIMES: Final = re.compile(r"(\d{1,2}):?(\d{2})?\s*(?:-|–|\s)\s*(\d{1,2}):?(\d{2})?")
_OFF: Final = ("off", "none", "")
WHEN: Final = {
    NoticeWhen.NEVER: _("never"),
    NoticeWhen.AWAY: _("while you are away"),
    NoticeWhen.ALWAYS: _("always, with an open window too"),
}
WAYS: Final = {
    NoticeWay.PUSH: _("alerts of a browser"),
    NoticeWay.NTFY: "ntfy",
    NoticeWay.DISCORD: "Discord",
    NoticeWay.MAIL: _("e-mail"),
}
_LENGTH: Final = re.compile(r"(\d{1,5}(?:[.,]\d+)?)\s*([a-z]*)\.?")
_UNITS: Final = {"m": 1, "": 60, "h": 60, "s": 60, "d": 1440, "t": 1440}
"""Minutes of each unit, by the first letter of its name in English or German; a bare number means hours."""
_LONGEST: Final = 7 * 1440
"""Most minutes of a reminder before the deadline."""
USAGE: Final = _(
    "Say “notify” and one of: mail ADDRESS | ntfy LINK | discord LINK [USER ID] | quiet 22:00-7:00 | remind 30 min | "
    "always | away | never | here always | here away | here never | code CODE | test. “off” ends a way."
)


class NoSetting(ValueError):
    """Words that set nothing; the text is a sentence."""


def changed(settings: NoticeSettings, words: str, match: str) -> NoticeSettings:
    """Return the settings after typed words such as "quiet 22:00-7:00". `match`: the one at hand. Raises NoSetting."""
    word, _gap, rest = words.strip().partition(" ")
    rest, word = rest.strip(), word.lower()
    settings = local(settings)
    if word in (when.value for when in NoticeWhen):
        return structs.replace(settings, when=NoticeWhen(word))
    match word:
        case "here":
            return for_match(settings, match, rest.lower())
        case "mail" | "email" | "e-mail":
            return structs.replace(settings, mail="" if rest in _OFF else rest)
        case "ntfy":
            return structs.replace(settings, ntfy="" if rest in _OFF else rest)
        case "discord":
            link, _gap, user = rest.partition(" ")
            return structs.replace(settings, discord="" if link in _OFF else link, mention=digits(user))
        case "quiet":
            return structs.replace(settings, quiet=quiet_of(rest))
        case "remind":
            return structs.replace(settings, remind=minutes_of(rest))
        case _:
            raise NoSetting(USAGE)


def local(settings: NoticeSettings) -> NoticeSettings:
    """Return the settings with the time zone and the language of this computer."""
    return structs.replace(settings, zone=get_localzone_name() or settings.zone, language=chosen() or of_system())


def for_match(settings: NoticeSettings, match: str, when: str) -> NoticeSettings:
    """Return the settings with another time of notices for one match; "" for the usual one. Raises NoSetting."""
    if not match:
        raise NoSetting(_("You are at no table."))
    others = [each for each in settings.matches if each[0] != match]
    if when in (each.value for each in NoticeWhen):
        others.append((match, NoticeWhen(when)))
    elif when not in ("", "usual"):
        raise NoSetting(USAGE)
    return structs.replace(settings, matches=tuple(others[-64:]))


def quiet_of(words: str) -> tuple[int, int]:
    """Return the quiet hours of typed words such as "22:00-7:00", in minutes of the day. Raises NoSetting."""
    if words.strip().lower() in _OFF:
        return (0, 0)
    found = _TIMES.fullmatch(words.strip())
    if found is None or int(found[1]) > 23 or int(found[3]) > 23 or int(found[2] or 0) > 59 or int(found[4] or 0) > 59:
        raise NoSetting(_("Quiet hours look like 22:00-7:00."))
    return int(found[1]) * 60 + int(found[2] or 0), int(found[3]) * 60 + int(found[4] or 0)


def quiet_words(quiet: tuple[int, int]) -> str:
    """Return quiet hours as they are typed, "" for none."""
    begin, end = quiet
    return "" if begin == end else f"{begin // 60}:{begin % 60:02}-{end // 60}:{end % 60:02}"


def minutes_of(words: str) -> int:
    """Return the minutes of a typed time such as "30 min", "2 h" or "2", which means hours; 0 for none. Raises
    NoSetting.
    """
    if words.strip().lower() in _OFF:
        return 0
    found = _LENGTH.fullmatch(words.strip().lower())
    minutes = round(float(found[1].replace(",", ".")) * _UNITS.get(found[2][:1], -1)) if found is not None else -1
    if not 0 <= minutes <= _LONGEST:
        raise NoSetting(_("Say how long before the deadline, such as 30 min, 2 h or 1 d; at most 7 d."))
    return minutes


def reminder_words(minutes: int) -> str:
    """Return the time of a reminder as it is typed, "" for none."""
    return f"{minutes} min" if minutes % 60 else f"{minutes // 60} h" if minutes else ""


def digits(user: str) -> str:
    """Return the id of a Discord user, "" for none. Raises NoSetting."""
    plain = user.strip().strip("<@!>")
    if plain and not (plain.isdecimal() and len(plain) <= 20):
        raise NoSetting(_("The id of a Discord user is a number: copy it from the user's menu."))
    return plain


def tried(result: Notifying) -> str:
    """Return a sentence on a trial notice that the server accepted: it goes to confirmed places only."""
    it = result.settings
    if it.mail or it.ntfy or it.discord or result.devices:
        return _("A notice is on its way to each place that you set.")
    return _("Nothing was sent: no place for messages is set and confirmed yet.")


def described(result: Notifying, match: str) -> list[str]:
    """Return the settings in lines for the player."""
    it = result.settings
    places = {
        NoticeWay.PUSH: str(result.devices) if result.devices else "",
        NoticeWay.NTFY: it.ntfy,
        NoticeWay.DISCORD: f"{it.discord} {it.mention}".strip(),
        NoticeWay.MAIL: it.mail,
    }
    lines = [_("You are told that you must decide: {when}.", when=WHEN[it.when])]
    if match and it.when_for(match) != it.when:
        lines.append(_("In this match: {when}.", when=WHEN[it.when_for(match)]))
    for way, place in places.items():
        if way in result.ways:
            lines.append(f"  {WAYS[way]}: {place or _('off')}")
    if result.waiting:
        lines.append(
            _(
                "A mail with a code goes to {address}: enter it with “notify code CODE” when it has come.",
                address=result.waiting,
            )
        )
    if quiet_words(it.quiet):
        lines.append(_("Quiet hours: {hours} ({zone}).", hours=quiet_words(it.quiet), zone=it.zone))
    if it.remind:
        lines.append(_("Reminder: {time} before the deadline.", time=exact(it.remind * 60)))
    return lines
