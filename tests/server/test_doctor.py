"""The command `doctor`: sentences about all that an operator may have set up wrongly."""

import argparse
import asyncio
import json
import os
import resource
import shutil
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import asyncpg
import pytest
from msgspec import structs

from server.command_line import main
from server.connections.server_app import Hooks, Settings
from server.opening import DATABASE, open_store
from server.storage.port import DeedKind, DeedRecord
from server.tools import doctor, serve
from server.webhooks.mail_sender import MailSettings
from tests.support import engines
from tests.support.forks import ForkedServer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes and limits of POSIX")


def settings(data: Path, *words: str) -> Settings:
    """As `serve` understands those options."""
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    return serve.settings_of(parser.parse_args(["--data", str(data), "--port", "0", *words]))


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the system sets the clock."""
    monkeypatch.setattr(doctor, "_clock_state", lambda: 0)


async def said(about: str, asked: Settings) -> list[tuple[bool, str]]:
    """Return the remarks about one subject."""
    return [(remark.well, remark.text) for remark in await doctor.examined(asked) if remark.about == about]


async def wrong(asked: Settings) -> list[str]:
    """Return all remarks that name a problem."""
    return [f"{remark.about}: {remark.text}" for remark in await doctor.examined(asked) if not remark.well]


async def filled(data: Path) -> Path:
    """A directory that a server has used."""
    await (await open_store("", data)).close()
    return data


async def test_healthy_installation_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = await filled(tmp_path / "data")
    command = ["doctor", "--data", str(data), "--port", "0"]
    assert await asyncio.to_thread(main, command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok    ") and line.endswith((".", ")")) for line in lines)
    abouts = [line[6:].partition(":")[0] for line in lines]
    assert list(dict.fromkeys(abouts)) == [
        "server", "modes", "disk", "proxies", "names", "notices", "people", "pages", "time", "limits",
    ]  # fmt: skip
    assert await asyncio.to_thread(main, [*command, "--json"]) == 0
    assert [json.loads(line)["about"] for line in capsys.readouterr().out.splitlines()] == abouts
    assert sorted(path.name for path in data.iterdir()) == [DATABASE, f"{DATABASE}.heads"]


async def test_people_and_pages_are_reported(tmp_path: Path) -> None:
    pages, asked = tmp_path / "pages", settings(tmp_path)
    assert await said("people", asked) == [
        (True, "guests become members by your invitation alone (admin invite): codes need --smtp.")
    ]
    mail = structs.replace(asked, mail=MailSettings("127.0.0.1", 1, "conquest@example.org"))
    assert await said("people", mail) == [(True, "guests become members by a mailed code.")]
    none = "none shown (--pages): strangers look for terms and privacy and contact; samples are in deploy/pages."
    assert await said("pages", asked) == [(True, none)]
    assert await said("pages", structs.replace(asked, public="play.example.org")) == [(False, none)]
    pages.mkdir()
    for name in ("terms", "privacy", "contact"):
        (pages / f"{name}.md").write_text(f"# {name}")
        found = settings(tmp_path, "--pages", str(pages), "--public", "play.example.org")
        ((well, text),) = await said("pages", found)
    assert (well, text) == (True, "terms, privacy, contact shown (--pages).")


async def shown_deeds(asked: Settings) -> list[str]:
    """Return the remarks about deeds, all of which are well."""
    found = await said("deeds", asked)
    assert all(well for well, _ in found)
    return [text.partition(".")[0] for _, text in found]


async def test_deeds_of_the_last_week_are_counted(tmp_path: Path) -> None:
    url, now = await engines.database(tmp_path), time.time()
    store = await open_store(url, tmp_path)
    for n, (kind, days) in enumerate((("ban", 1), ("ban", 6), ("mute", 2), ("network", 1), ("unban", 8))):
        await store.keep_deed(DeedRecord(f"d{n}", now - days * doctor.DAY, DeedKind(kind), "p", "Nero"))
    await store.close()
    assert await shown_deeds(settings(tmp_path, "--store", url)) == ["in the last week: 2 × ban, 1 × mute"]
    data = await filled(tmp_path / "data")
    before = {path: path.read_bytes() for path in data.iterdir()}
    assert await shown_deeds(settings(data)) == [], "a file is not opened"
    assert {path: path.read_bytes() for path in data.iterdir()} == before
    server = ForkedServer(data)
    await server.start()
    assert await shown_deeds(settings(data)) == ["in the last week: none"]
    await asyncio.to_thread(main, ["admin", "--data", str(data), "banner", "We update at noon."])
    assert await shown_deeds(settings(data)) == ["in the last week: 1 × banner"]
    await server.kill()


async def test_faults_change_the_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / DATABASE).write_text("mine")
    assert await asyncio.to_thread(main, ["doctor", "--data", str(tmp_path / DATABASE), "--port", "0"]) == 1
    assert f"LOOK  modes: {tmp_path / DATABASE} is not a directory: give another one" in capsys.readouterr().out


async def test_a_directory_that_is_to_be_made(tmp_path: Path) -> None:
    ((well, text),) = await said("modes", settings(tmp_path / "none"))
    assert well and "the server makes it for its own user alone (0700)" in text and not (tmp_path / "none").exists()


async def test_modes_that_are_too_wide(tmp_path: Path) -> None:
    data = await filled(tmp_path / "data")
    assert [well for well, _ in await said("modes", settings(data))] == [True]
    (data / DATABASE).chmod(0o644)
    data.chmod(0o777)
    assert await wrong(settings(data)) == [
        f"modes: other users may replace files in {data} (mode 0777): chmod 700 {data}.",
        f"modes: others may open {DATABASE}: chmod 600 them, or start this version of the server once.",
    ]
    data.chmod(0o755)
    await filled(data)
    assert await wrong(settings(data)) == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
async def test_files_of_another_user(tmp_path: Path) -> None:
    data = await filled(tmp_path / "data")
    os.chown(data / DATABASE, 12345, 12345)
    assert await wrong(settings(data)) == [f"modes: {DATABASE} belong to another user: chown them to the server's."]


async def test_a_disk_that_is_nearly_full_or_far_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(total=50 * 2**30, free=2**29)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(doctor, "_file_system", lambda _: "nfs4")
    full, far, *_ = await wrong(settings(tmp_path))
    assert full == f"disk: 0.5 of 50.0 GiB are free at {tmp_path}: make room, a full disk stops every match."
    assert far.startswith(f"disk: {tmp_path} is on nfs4: locks and syncs over a network cannot be relied on")


async def test_a_slow_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_sync_time", lambda _: 0.2)
    assert await wrong(settings(tmp_path)) == [
        "disk: a write is on the disk after 200.0 ms; every action waits for one."
    ]


def test_the_file_system_is_known_on_linux() -> None:
    if sys.platform == "linux":
        assert doctor._file_system(Path("/proc/self")) == "proc"


async def test_a_server_that_runs_and_a_port_that_is_taken(tmp_path: Path) -> None:
    server = ForkedServer(tmp_path / "data")
    await server.start()
    ((well, text),) = await said("server", settings(tmp_path / "data"))
    assert well and text == f"one runs at {server.url}, can save: 0 tables awake, 0 connections."
    taken = server.url.rpartition(":")[2]
    ((well, text),) = await said("server", settings(tmp_path / "other", "--port", taken))
    assert not well and f"none can listen on 127.0.0.1:{taken}: Address already in use" in text
    await server.kill()


async def test_a_database_that_can_be_relied_on(tmp_path: Path) -> None:
    url = await engines.database(tmp_path)
    asked = settings(tmp_path, "--store", url)
    told = await said("database", asked)
    assert all(well for well, _ in told)
    texts = " ".join(text for _, text in told)
    assert "no server uses it now" in texts and "acknowledged actions are durable (fsync on" in texts
    assert "its clock and this machine's agree" in texts and "has no tables yet; the server makes them" in texts
    server = await open_store(url, tmp_path)
    texts = " ".join(text for _, text in await said("database", asked))
    assert "a server uses it now" in texts and "as this version has them" in texts
    await server.close()


async def test_a_database_that_cannot_be_relied_on(tmp_path: Path) -> None:
    url = await engines.database(tmp_path)
    line = await asyncpg.connect(url)
    name = await line.fetchval("SELECT current_database()")
    await line.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    await line.execute("CREATE TABLE conquest_schema (version integer NOT NULL)")
    await line.execute("INSERT INTO conquest_schema VALUES (999)")
    off, newer = await wrong(settings(tmp_path, "--store", url))
    assert off == "database: with synchronous_commit = off acknowledged actions can be lost: turn that on."
    assert newer.startswith("database: its tables are of format 999, this version knows ")
    await line.execute(f"ALTER DATABASE {name} RESET ALL")
    await line.close()


@pytest.mark.parametrize(("offset", "told"), [(-3600, "3600 s ahead of this"), (90, "90 s behind this")])
async def test_a_database_whose_clock_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offset: float, told: str
) -> None:
    url, real = await engines.database(tmp_path), time.time
    monkeypatch.setattr("server.cluster.postgres.health.time.time", lambda: real() + offset)
    assert any(told in text for text in await wrong(settings(tmp_path, "--store", url)))


@pytest.mark.parametrize("url", ["postgresql://u@127.0.0.1:9/x", "mysql://x"])
async def test_a_database_that_is_not_there(tmp_path: Path, url: str) -> None:
    text, *_ = await wrong(settings(tmp_path, "--store", url))
    assert text.startswith(("database: Cannot use the database: ", "database: --store must be postgresql://"))


async def test_the_bus(tmp_path: Path) -> None:
    store = await engines.database(tmp_path)
    reached = settings(tmp_path, "--store", store, "--bus", engines.nats().url)
    assert await said("bus", reached) == [(True, "NATS answers and accepts the credentials.")]
    ((well, text),) = await said("bus", settings(tmp_path, "--store", store, "--bus", "nats://127.0.0.1:9"))
    assert not well and text.startswith("Cannot use the bus: ")


async def test_only_trusted_proxies_name_addresses(tmp_path: Path) -> None:
    ((well, text),) = await said("proxies", settings(tmp_path))
    assert well and text.startswith("none is trusted.") and "--behind-proxy" in text
    ((well, text),) = await said("proxies", settings(tmp_path, "--behind-proxy", "127.0.0.1,192.0.2.0/24"))
    assert well and text.startswith("X-Forwarded-For is trusted from 127.0.0.1/32, 192.0.2.0/24")
    ((well, text),) = await said("proxies", settings(tmp_path, "--behind-proxy", "127.0.0.1,10.0.0.0/8"))
    assert not well and text.startswith("everybody in 10.0.0.0/8 can name any address as theirs")


async def test_names_are_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(host: str, _port: object, **_more: object) -> list[tuple[object, ...]]:
        if host != "play.example.org":
            raise socket.gaierror(-2, "Name or service not known")
        return [(0, 0, 0, "", ("192.0.2.1", 0))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up)
    ((well, text),) = await said("names", settings(tmp_path, "--public", "play.example.org:8600"))
    assert well and text.startswith("play.example.org (--public) is 192.0.2.1, found in ")
    ((well, text),) = await said("names", settings(tmp_path, "--public", "wrong.example.org"))
    assert not well and text == "wrong.example.org (--public) is not found: Name or service not known."


async def test_a_name_whose_look_up_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(*_: object, **_more: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(doctor, "WAIT", 0.01)
    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up)
    ((well, text),) = await said("names", settings(tmp_path, "--public", "play.example.org"))
    assert not well and text.startswith("play.example.org (--public) was not found in ")


@pytest.mark.parametrize("found", [True, False])
async def test_names_of_webhooks(tmp_path: Path, found: bool) -> None:
    async def resolve(_host: str, _port: int) -> Sequence[str]:
        if not found:
            raise OSError("no answer")
        return ["192.0.2.7"]

    asked = structs.replace(settings(tmp_path), hooks=Hooks(resolve=resolve))
    ((well, text),) = await said("names", asked)
    assert well == found
    assert text.startswith("webhooks find names on the internet" if found else "webhooks find no names on the internet")


async def test_a_clock_that_was_set_back(tmp_path: Path) -> None:
    data = await filled(tmp_path / "data")
    later = time.time() + 3600
    os.utime(data / DATABASE, (later, later))
    (text,) = await wrong(settings(data))
    assert text.startswith("time: it is ") and "but the matches were written to 3600 s later" in text


async def test_a_clock_that_nothing_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_clock_state", lambda: doctor._UNSYNCHRONISED)
    (text,) = await wrong(settings(tmp_path))
    assert text.startswith("time: it is ") and "but nothing sets this clock" in text


async def test_the_limits_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = " ".join(text for _, text in await said("limits", settings(tmp_path, "--keep-finished", "30")))
    for part in ("2000 connections, 32 from one address", "2000 tables in memory", "forgotten 30 days after their end"):
        assert part in texts
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 1024))
    (text,) = await wrong(settings(tmp_path))
    assert text.startswith("limits: 1024 open files are allowed, 2300 are needed for 2000 connections: LimitNOFILE")
