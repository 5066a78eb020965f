"""Page of the ladder for browsers, without a program in it, and the same as JSON."""

import json
from collections.abc import Callable, Mapping
from html import escape
from importlib import resources
from typing import Any, Final
from urllib.parse import quote

from msgspec import Struct
from websockets.datastructures import Headers

from server.clock import Clock
from server.ladder.ladder import Ladder, level_of, shown
from server.storage.port import PersonRecord, RatedMatch, RatingRecord
from server.web.site import File, file_of
from server.webhooks.languages import catalogue_of
from shared.kernel.ruleset import AnyRuleset
from shared.language.catalogue import Catalogue
from shared.language.sentence import Sentence, _, and_list, render
from shared.sentences import ladder as said

PATH: Final = "/ladder"
JSON: Final = "/ladder.json"
STYLE: Final = "/ladder.css"
MOST: Final = 200
"""Players that are shown of each game."""
SHOWN: Final = 5
"""Last matches of a player that the page shows; JSON has all that are kept."""
FRESH: Final = 2.0
"""Seconds for which a page is sent again as it is: many visitors must not cost more than one."""
RELOAD: Final = 15
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="{language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="{reload}"><title>{title} – Conquest</title>
<link rel="stylesheet" href="{style}"></head>
<body class="ladder"><h1>{title}</h1>
{body}
<p class="card note">{about}<br>{invitation}</p>
</body>
</html>
"""


class _Kept(Struct, frozen=True):
    """Page as it was made at that time."""

    file: File
    at: float


class LadderPage:
    """Page, style sheet and JSON of a ladder."""

    def __init__(self, ladder: Ladder, clock: Clock) -> None:
        self._ladder = ladder
        self._clock = clock
        self._pages: dict[str, _Kept] = {}
        folder = resources.files("server.web") / "files" / "styles"
        style = b"".join((folder / f"{name}.css").read_bytes() for name in ("base", "ladder"))
        self._style = file_of("ladder.css", style)

    def file(self, path: str, headers: Headers) -> File | None:
        """Return the file at a path, None if the ladder has none there."""
        if path == STYLE:
            return self._style
        if path == JSON:
            return self._fresh(JSON, lambda: file_of("ladder.json", json.dumps(self._facts()).encode()))
        if path != PATH:
            return None
        language = _language_of(headers)
        return self._fresh(language, lambda: file_of("ladder.html", self._html(language).encode()))

    def _fresh(self, key: str, make: Callable[[], File]) -> File:
        now, page = self._clock.now(), self._pages.get(key)
        if page is None or now - page.at > FRESH:
            page = self._pages[key] = _Kept(make(), now)
        return page.file

    def _facts(self) -> dict[str, Any]:
        games = [_game(rules, self._ladder.ratings(rules.id)[:MOST]) for rules in self._ladder.rulesets.values()]
        playing = [
            {"match": match, "game": record.ruleset, "title": record.title, "link": _link(match)}
            for match, record in self._ladder.running.items()
        ]
        return {"games": [game for game in games if game["players"]], "playing": playing}

    def _html(self, language: str) -> str:
        words = catalogue_of(language)

        def text(sentence: Sentence) -> str:
            return escape(render(sentence, words, str))

        parts = [
            _table(words, rules, found[:MOST])
            for rules in self._ladder.rulesets.values()
            if (found := self._ladder.ratings(rules.id))
        ]
        parts += [f'<p class="card">{text(said.empty())}</p>'] if not parts else []
        running = [
            f'<li><a href="{_link(match)}">{text(said.watch(record.title))}</a></li>'
            for match, record in self._ladder.running.items()
        ]
        if running:
            parts.append(f'<section class="card"><h2>{text(said.playing())}</h2><ul>{"".join(running)}</ul></section>')
        command = "conquest-server bot ADDRESS --player mine.py:Mine --ladder NAME"
        return _PAGE.format(
            language=language,
            reload=RELOAD,
            style=STYLE,
            title=text(said.title()),
            body="\n".join(parts),
            about=text(said.about()),
            invitation=text(said.invitation("{command}")).replace("{command}", f"<code>{command}</code>"),
        )


def _table(words: Catalogue, rules: AnyRuleset, players: list[tuple[PersonRecord, RatingRecord]]) -> str:
    heads = "".join(f"<th>{escape(render(each, words, str))}</th>" for each in said.columns())
    rows = "".join(_row(words, rank, *player) for rank, player in enumerate(players, 1))
    name = escape(render(_(rules.title), words, str))
    return f'<section class="card"><h2>{name}</h2><table><tr>{heads}</tr>{rows}</table></section>'


def _row(words: Catalogue, rank: int, person: PersonRecord, rating: RatingRecord) -> str:
    called = _called(person.person, person.name)
    name = called if isinstance(called, str) else render(called, words, str)
    last = ", ".join(
        f'<a href="{_link(match.match)}">{escape(render(_result(match), words, str))}</a>'
        for match in rating.recent[:SHOWN]
    )
    share = round(100 * rating.wins / max(1, rating.games))
    return (
        f'<tr><td>{rank}</td><td class="name">{escape(name)}</td><td>{shown(rating):.0f}</td><td>{rating.games}</td>'
        f'<td>{rating.wins} <small>({share} %)</small></td><td class="last">{last}</td></tr>'
    )


def _result(match: RatedMatch) -> Sentence:
    names = and_list([_called(*each) for each in zip(match.others, match.names, strict=True)])
    if match.forfeited:
        return said.forfeited_against(names)
    return said.won_against(names) if match.won else said.placed_against(match.rank, names)


def _called(person: str, name: str) -> str | Sentence:
    """Return a player's name; that of a bot of the server is a sentence."""
    level = level_of(person)
    return said.server_player(_(level)) if level else name


def _game(rules: AnyRuleset, players: list[tuple[PersonRecord, RatingRecord]]) -> dict[str, Any]:
    return {"game": rules.id, "title": rules.title, "players": [_player(*player) for player in players]}


def _player(person: PersonRecord, rating: RatingRecord) -> Mapping[str, object]:
    return {
        "name": person.name,
        "level": level_of(person.person),
        "rating": round(shown(rating), 1),
        "mu": round(rating.mu, 3),
        "sigma": round(rating.sigma, 3),
        "games": rating.games,
        "wins": rating.wins,
        "recent": [
            {
                "match": match.match,
                "rank": match.rank,
                "ended": match.ended,
                "against": match.names,
                "forfeited": match.forfeited,
                "won": match.won,
                "link": _link(match.match),
            }
            for match in rating.recent
        ],
    }


def _link(match: str) -> str:
    return f"/watch#{quote(match)}"


def _language_of(headers: Headers) -> str:
    """Return the first language of the browser that this server has; else English."""
    for line in headers.get_all("Accept-Language"):
        for part in line.split(",")[:8]:
            code = part.partition(";")[0].partition("-")[0].strip().lower()
            if code == "en" or catalogue_of(code).texts:
                return code
    return "en"
