"""Command `admin`: questions and actions of an operator on a running server.

Without a running server, questions are answered from its data.
"""

import argparse
import json
import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from protocol.process import stopping
from server.matches.moderation import shown
from server.opening import open_store
from server.storage.port import Damaged, Store
from server.tools import admin_actions
from server.tools.control import Answer, NotRunning, calling
from server.tools.serve import directory, store_of

LINES: Final[dict[str, Callable[[Answer], str]]] = {
    "node": lambda a: (
        f"{a['address']}: {a['tables']} tables awake, {a['connections']} connections, "
        + ("healthy" if a["healthy"] else "cannot save matches")
        + ("" if a["takes_new_tables"] else ", takes no new tables")
        + (", is read-only" if a["read_only"] else "")
        + ("" if a.get("bus", True) else ", does not reach the other nodes")
    ),
    "nodes": lambda a: "\n".join(map(_node, a["nodes"])) or "No servers share these matches.",
    "matches": lambda a: "\n".join([*map(_line, a["matches"]), *a["damaged"]]) or "There are no running matches.",
    "show": lambda a: "\n".join([_line(a), *map(_seat, a["at"]), *_elsewhere(a)]),
    "check": lambda a: f"All {a['entries']} entries are intact.",
    # Not the function itself, which is defined below.
    "say": lambda a: _said(a),
    "close": lambda _: "The server takes no new tables.",
    "open": lambda _: "The server takes new tables again.",
    "link": lambda a: (
        f"The code {a['code']} opens the seat of {a['name']} once, within {a['hours']} hours: "
        f"conquest join ADDRESS --code {a['code']}"
    ),
    "forget": lambda _: "The match is deleted.",
    "drain": lambda _: "The server is stopping.",
    "people": lambda a: "\n".join(map(_person, a["people"])) or "No profile is called so.",
    "deeds": lambda a: "\n".join(map(_deed, a["deeds"])) or "There are no deeds.",
    "reports": lambda a: _reports(a),
    "erase": lambda a: f"All of {a['person']} is erased here; matches of other servers follow within seconds.",
    "export": lambda a: json.dumps(a["data"], indent=1, ensure_ascii=False),
    "invite": lambda a: (
        f"{a['name']} is a member. The code {a['code']} opens the profile once, within 30 days: "
        f"“me code {a['code']}” in the text client, or under “My profile”."
    ),
    "banner": lambda a: "Everybody who comes is shown that." if a["text"] else "There is no banner any more.",
    "read-only": lambda a: f"The server is {'read-only now' if a['read_only'] else 'no longer read-only'}.",
    "ban": lambda a: f"{a['name']} is banned{_until(a)}.",
    "unban": lambda a: f"{a['name']} may come again.",
    "mute": lambda a: f"{a['name']} may not speak{_until(a)}.",
    "unmute": lambda a: f"{a['name']} may speak again.",
}
"""Text for people by action."""


ARGUMENTS: Final = ("match", "seat", "text", "name", "why", "days", "state", "report")
"""Arguments of the actions."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `admin`."""
    _add_common(parser, data="", store=None, json=False)
    # In either position. Without suppressed defaults, those of the subcommand would overwrite options before it.
    common = argparse.ArgumentParser(add_help=False)
    _add_common(common, **dict.fromkeys(("data", "store", "json"), argparse.SUPPRESS))
    deeds_of = parser.add_subparsers(dest="deed", required=True, metavar="ACTION")
    add = partial(deeds_of.add_parser, parents=[common])
    add("node", help="show the server: address, tables, connections, health")
    add("nodes", help="list the servers of the cluster, and how many matches each runs")
    add("matches", help="list waiting and running matches")
    for name, help_ in (
        ("show", "show one match with its seats"),
        ("check", "check the log of a match for damage"),
        ("forget", "delete a match and its log for good"),
    ):
        add(name, help=help_).add_argument("match")
    say = add("say", help="send a message to all tables, or to one")
    say.add_argument("text")
    say.add_argument("--match", default="", help="send it to this table only")
    link = add("link", help="make a code that opens a seat once, for a player who lost the key")
    link.add_argument("match")
    link.add_argument("seat", type=int, help="1 to 6")
    add("close", help="take no new tables")
    add("open", help="take new tables again")
    people = add("people", help="list profiles, the latest visitors first")
    people.add_argument("name", nargs="?", default="", help="only those with this name, or one that looks like it")
    for name, help_ in (
        ("ban", "keep a person, their devices and for a day new guests of their network away"),
        ("unban", "let a banned person come again"),
        ("mute", "let a person chat at no table"),
        ("unmute", "let a muted person chat again"),
    ):
        decree = add(name, help=help_)
        decree.add_argument("name", help="name or id of a profile")
        decree.add_argument("--why", default="", help="reason; a banned or muted person reads it")
        if not name.startswith("un"):
            decree.add_argument("--days", type=_days, help="end it after so many days (default: never)")
    reports = add("reports", help="list open reports, or close one and tell its reporter")
    reports.add_argument("report", nargs="?", default="", help="id of the report to close")
    reports.add_argument("--why", default="", help="answer that the reporter reads")
    erase = add("erase", help="erase all that is stored of a person, for good")
    erase.add_argument("name", help="name or id of a profile")
    erase.add_argument("--why", default="", help="reason, for the list of deeds; do not name the person")
    add("export", help="print all that is stored of a person as JSON").add_argument("name", help="as for erase")
    add("invite", help="make a member by a code, without a mail").add_argument("name", help="name of the member")
    add("banner", help="show a text to everybody who comes; '' ends it").add_argument("text")
    state = add("read-only", help="refuse new tables, seats, profiles and chat; running matches go on")
    state.add_argument("state", choices=("on", "off"))
    add("deeds", help="list what operators did, with times and reasons")
    add("drain", help="stop the server, as SIGTERM does")


def _add_common(parser: argparse.ArgumentParser, **defaults: Any) -> None:
    """Add the options of every action, with their defaults."""
    parser.add_argument("--data", type=directory, default=defaults["data"], help="directory of the server")
    about = "database, as for serve; commands that only read take it from there"
    parser.add_argument("--store", metavar="URL", default=defaults["store"], help=about)
    parser.add_argument("--json", action="store_true", default=defaults["json"], help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the answer; StoreError gives the obstacle. Return 1 if a log is damaged."""
    wanted = {name: getattr(args, name) for name in ARGUMENTS if hasattr(args, name)}
    try:
        answer = stopping.run(_asked(args, wanted))
    except Damaged as error:
        print(json.dumps({"error": str(error)}) if args.json else error)
        return 1
    print(json.dumps(answer) if args.json else LINES[args.deed](answer))
    return 0


async def _asked(args: argparse.Namespace, wanted: dict[str, object]) -> Answer:
    if args.store and args.deed in _READING:
        return await _read(args, wanted)
    try:
        async with calling(args.data) as ask:
            return await ask(args.deed, **wanted)
    except NotRunning:
        if args.deed not in _READING:
            raise
        return await _read(args, wanted)


async def _read(args: argparse.Namespace, wanted: dict[str, object]) -> Answer:
    """Answer from the matches themselves; other servers may have the same database open."""
    store = await open_store(store_of(args, os.environ), args.data, beside=True)
    try:
        return await _READING[args.deed](store, str(wanted.get("match", "")))
    finally:
        await store.close()


async def _shown(store: Store, match: str) -> Answer:
    return admin_actions.shown(await admin_actions.glanced(store, match))


async def _checked(store: Store, match: str) -> Answer:
    return await admin_actions.checked(store, await admin_actions.glanced(store, match))


async def _deeds(store: Store, _: str) -> Answer:
    return admin_actions.listed_deeds(await store.deeds())


_READING: Final[dict[str, Callable[[Store, str], Awaitable[Answer]]]] = {
    "nodes": lambda store, _: admin_actions.joined(store),
    "matches": lambda store, _: admin_actions.listed(store),
    "show": _shown,
    "check": _checked,
    "deeds": _deeds,
}


def _days(text: str) -> float:
    days = float(text)
    if not 0 < days <= 36_500:
        raise argparse.ArgumentTypeError("must be more than 0 and at most 36500")
    return days


def _until(deed: Answer) -> str:
    return f" until {shown(deed['until'])}" if deed["until"] else ""


def _person(person: Answer) -> str:
    held = [f", {word}{_until(person[word])}" for word in ("banned", "muted") if person[word]]
    here = f", {person['here']} connections" if person["here"] else ""
    seen = f"seen {shown(person['seen'])}, {person['devices']} devices"
    return f"{person['name']} ({person['person']}): {seen}{here}{''.join(held)}"


def _reports(answer: Answer) -> str:
    if "handled" in answer:
        return "The report is closed; its reporter is told."
    more = [f"{answer['more']} more; close some of these to see them."] if answer["more"] else []
    return "\n".join([*map(_report, answer["reports"]), *more]) or "There are no open reports."


def _report(report: Answer) -> str:
    about = f"{shown(report['at'])}  {report['report']}  {report['by']} about {report['name']} ({report['person']})"
    words = [f"“{report['words']}”"] if report["words"] else []
    words += [report["why"]] if report["why"] else []
    more = f"; {report['others']} more about that person" if report["others"] else ""
    return f"{about}, match {report['match']}, version {report['version']}: {' '.join(words) or 'no words'}{more}"


def _deed(deed: Answer) -> str:
    name = f" {deed['name']} ({deed['person']})" if deed["person"] else ""
    return f"{shown(deed['at'])}  {deed['deed']}{name}{_until(deed)}" + (f": {deed['text']}" if deed["text"] else "")


def _line(match: Answer) -> str:
    who = ", ".join(name or "free" for name in match["seats"])
    here = f"; {match['people']} here, {match['onlookers']} of them spectators" if match.get("awake") else ""
    where = f", on {match['owner']}" if match["owner"] else ""
    stand = f"{match['game']}, {match['phase']}, version {match['version']}{where}"
    return f"{match['match']}  {match['title']} ({stand}): {who}{here}"


def _node(node: Answer) -> str:
    called = f" ({node['name']})" if node["name"] else ""
    at = node["url"] or "address unknown"
    return f"{node['node']}{called}  {at}, last seen {node['seen']:.1f} s ago, runs {node['matches']} matches"


def _elsewhere(match: Answer) -> list[str]:
    return [f"It runs on {match['runs_on']}; ask that server who is connected."] if "runs_on" in match else []


def _said(a: Answer) -> str:
    if "everywhere" in a:
        return "Sent to all tables of all servers."
    if "node" in a:
        return f"Sent by the server {a['node']}, which runs that match."
    return f"Sent to {a['people']} people." if "people" in a else f"Sent to {a['tables']} tables."


def _seat(seat: Answer) -> str:
    return f"  {seat['seat']}  {seat['name'] or 'free'}" + (f" (bot: {seat['bot']})" if seat["bot"] else "")
