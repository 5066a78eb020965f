"""Notices of turns: typed words change the settings, and the settings are told in words."""

import pytest

from client.app import App
from client.network.remote_server import RemoteServer
from client.player import notices
from client.player.notices import NoSetting, changed, described
from client.screens.lobby import LobbyScreen
from client.screens.notices import NoticesScreen
from shared.messages import NoticeSettings, Notifying
from shared.tables import NOTICES, NoticeWhen
from tests.client.conftest import Server, until
from tests.client.screen_steps import press
from tests.client.test_screens import no_overlaps

START = NoticeSettings()


@pytest.fixture(autouse=True)
def _rome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "get_localzone_name", lambda: "Europe/Rome")


@pytest.mark.parametrize(("words", "field", "value"), [
    ("mail anna@example.org", "mail", "anna@example.org"),
    ("e-mail off", "mail", ""),
    ("ntfy https://ntfy.sh/a", "ntfy", "https://ntfy.sh/a"),
    ("discord https://discord.com/x <@42>", "mention", "42"),
    ("quiet 22:00-7:30", "quiet", (1320, 450)),
    ("quiet 22 - 7", "quiet", (1320, 420)),
    ("quiet off", "quiet", (0, 0)),
    ("remind 1.5", "remind", 90),
    ("remind 30 min", "remind", 30),
    ("remind 45m", "remind", 45),
    ("remind 1,5 Std.", "remind", 90),
    ("remind 2 hours", "remind", 120),
    ("remind 7 d", "remind", 10080),
    ("remind off", "remind", 0),
    ("Always", "when", NoticeWhen.ALWAYS),
    ("here never", "matches", (("m1", NoticeWhen.NEVER),)),
    ("here usual", "matches", ()),
])  # fmt: skip
def test_words_change_one_setting(words: str, field: str, value: object) -> None:
    settings = changed(START, words, "m1")
    assert getattr(settings, field) == value and settings.zone == "Europe/Rome"


@pytest.mark.parametrize(
    "words",
    [
        "quiet 25:00-7:00",
        "quiet late",
        "remind soon",
        "remind 200",
        "remind 8 d",
        "remind 5 x",
        "remind -3 min",
        "discord https://x me",
        "here then",
        "so",
    ],
)
def test_words_that_set_nothing_are_explained(words: str) -> None:
    with pytest.raises(NoSetting, match=r"[.]$"):
        changed(START, words, "m1")
    with pytest.raises(NoSetting, match="no table"):
        changed(START, "here never", "")


def test_the_settings_are_told() -> None:
    settings = NoticeSettings(ntfy="https://ntfy.sh/a", quiet=(1320, 420), zone="Europe/Rome")
    told = described(Notifying(1, settings, ("ntfy", "mail"), "anna@example.org"), "m1")
    assert told == [
        "You are told that you must decide: while you are away.",
        "  ntfy: https://ntfy.sh/a",
        "  e-mail: off",
        "A mail with a code goes to anna@example.org: enter it with “notify code CODE” when it has come.",
        "Quiet hours: 22:00-7:00 (Europe/Rome).",
        "Reminder: 2 hours before the deadline.",
    ]


def test_the_list_of_tables_leads_to_the_settings(app: App, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RemoteServer, "can", lambda self, what: what == NOTICES)
    app.go.server(server.address, app.go.lobby)
    until(app, lambda: isinstance(app.screen, LobbyScreen) and app.remote.lobby.known)
    no_overlaps(app)
    press(app, "Messages to you …")
    assert isinstance(app.screen, NoticesScreen)
    app.screen.back()
    assert isinstance(app.screen, LobbyScreen)
