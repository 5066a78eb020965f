"""Play now in words: the command `now`, and what is told of the people who wait and of a table that was found."""

from collections.abc import Callable, Iterable

from client.language import _
from client.network.play_now import kind_words, read_wish
from client.network.remote_server import RemoteServer
from client.player.clock_presets import exact
from client.text_client.table import Lines, TextCommand
from shared import messages as m
from shared.actions.name_lookup import Misread, folded
from shared.clocks import pace_of
from shared.tables import SEEKS, Run


def numbered(lines: Iterable[str]) -> list[str]:
    """Return lines with their numbers in front."""
    return [f"{number}. {line}" for number, line in enumerate(lines, 1)]


class PlayNowText:
    """Command `now`, and lines on its results. `remote`: returns the connection of the person at the screen."""

    def __init__(self, remote: Callable[[], RemoteServer]) -> None:
        self._remote = remote
        self._called = ""
        """Table that was found, as it was told last."""
        self._waiting: list[str] = []
        """People who wait for tables, as they were told last."""

    @property
    def command(self) -> TextCommand:
        """The command that players type."""
        return TextCommand(
            "now [NUMBER | GAMES [SEATS] [pace=CLOCKS] [bots=MINUTES] [least=PERCENT] | same | yes | off]",
            _("who waits for tables; wait for one too, confirm it, or wait no longer"),
            self._read,
        )

    def hear(self, arrival: m.Waiting | m.Seeking | m.Summons, *, at_table: bool) -> Lines:
        """Return what the player is told of a message that the models have heard."""
        now = self._remote().now
        match arrival:
            case m.Waiting():
                before, self._waiting = self._waiting, now.lines
                return self._waiting if now.wishes and not at_table and before != self._waiting else ()
            case m.Seeking() if arrival.code == "late":
                return [_("You did not come to the table in time, and wait no longer. That counts as a match left.")]
            case m.Seeking() if arrival.ref:
                kinds = [kind_words(wish.games, wish.seats, wish.pace) for wish in arrival.wishes]
                return [_("You wait for {kind}.", kind=kind) for kind in kinds] or [_("You wait for no table.")]
            case m.Summons() if not arrival.names:
                self._called = ""
                return [_("The table is not complete any more. You keep your place and wait on.")]
            case m.Summons() if not arrival.match and now.summons_words != self._called:
                self._called, time = now.summons_words, exact(now.left)
                ask = [_("“now yes” confirms within {time}, or you lose the place.", time=time)] if now.left else []
                return [now.summons_words, *ask]
            case _:
                return ()

    def _read(self, words: str) -> Lines:
        """Wait for a table, confirm one, or list who waits."""
        remote, word = self._remote(), folded(words)
        now = remote.now
        if not remote.begun or remote.knocking or not remote.can(SEEKS):
            raise Misread(_("You are at no server that finds tables by wishes."))
        if not word:
            hint = _("“now classic,cote2 4,5 pace=evening bots=10” waits for tables of your own wishes.")
            return [*([now.summons_words] if now.summons else []), *numbered(now.lines), hint]
        if word == "yes":
            if now.summons is None:
                raise Misread(_("There is no table to confirm at present."))
            now.confirm()
        elif word == "off":
            now.seek()
        elif word == "same":
            table = remote.match.table if remote.match is not None else None
            if table is None:
                raise Misread(_("You are at no table: “now same” looks for other people for one of the same kind."))
            pace = pace_of(table.pace, table.think)
            clocks = pace if pace.run is not Run.NONE else None
            now.seek(m.TableWish((table.ruleset,), (len(table.seats),), clocks))
        elif word.isdecimal() and 1 <= int(word) <= len(now.tables):
            now.join(now.tables[int(word) - 1])
        else:
            now.seek(read_wish(words))
        return ()
