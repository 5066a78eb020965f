"""Commands of the text client about other people at the table."""

from client.language import _
from client.network.model import MatchModel, voices
from client.network.remote_server import RemoteServer
from client.text_client.table import TextCommand
from shared.actions.name_lookup import Misread, find
from shared.tables import BLOCKS, MAX_TEXT


class PersonCommands:
    """Report a person, hide what they say, or never sit with them."""

    def __init__(self, remote: RemoteServer) -> None:
        self._remote = remote

    def commands(self) -> tuple[TextCommand, ...]:
        """Return the commands."""
        return (
            TextCommand("report NAME [: WHY]", _("report a person and their last line to the operator"), self._report),
            TextCommand("mute NAME", _("the host mutes a person, or ends that"), self._mute),
            TextCommand("hide NAME", _("see nothing of what a person says, or end that"), self._hide),
            TextCommand("avoid NAME", _("never be seated with a person by the server, or end that"), self._avoid),
        )

    def _person(self, words: str) -> tuple[MatchModel, str]:
        """Return the match, and the name of a person there or on our list."""
        match = self._remote.match
        if match is None or not self._remote.can(BLOCKS):
            raise Misread(_("This server takes no reports, and has no lists of people."))
        onlookers = match.table.onlookers if match.table is not None else ()
        listed = [each.name for each in match.blocks.people]
        names = dict.fromkeys((*voices(match), *onlookers, *match.blocks.hidden, *listed))
        return match, find(words, [(name, name) for name in names], _("person"))

    def _report(self, words: str) -> list[str]:
        name, _gap, why = words.partition(":")
        match, name = self._person(name.strip())
        said = next((line.text for line in reversed(match.chat) if line.name == name), "")
        match.blocks.report(name, said, match.version, why.strip()[:MAX_TEXT])
        return [_("The operator gets your report about {name}; you hear when it was looked at.", name=name)]

    def _mute(self, words: str) -> list[str]:
        match = self._remote.match
        if match is None:
            raise Misread(_("You are at no table."))
        name = find(words, [(name, name) for name in (*voices(match), *match.muted)], _("voice"))
        on = name not in match.muted
        match.mute(name, on)
        return [_("{name} is muted.", name=name) if on else _("{name} is no longer muted.", name=name)]

    def _hide(self, words: str) -> list[str]:
        match, name = self._person(words)
        wishes = match.blocks.wishes(name)
        match.blocks.block(name, avoid=wishes.avoid, hide=not wishes.hide)
        if wishes.hide:
            return [_("You hear {name} again.", name=name)]
        return [_("You no longer see what {name} says.", name=name)]

    def _avoid(self, words: str) -> list[str]:
        match, name = self._person(words)
        wishes = match.blocks.wishes(name)
        match.blocks.block(name, avoid=not wishes.avoid, hide=wishes.hide)
        if wishes.avoid:
            return [_("You may be seated with {name} again.", name=name)]
        return [_("Kept: where the server itself seats people, it never seats you with {name}.", name=name)]
