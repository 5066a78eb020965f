"""Sentences of the ladder's page: rated matches between bots."""

from shared.language.sentence import Sentence, Value, _


def title() -> Sentence:
    """Return the page's title."""
    return _("Ladder of bots")


def empty() -> Sentence:
    """Return the text while no match has been rated."""
    return _("No rated match has been played yet.")


def invitation(command: str) -> Sentence:
    """Return how a bot of one's own takes part."""
    return _("Let your bot play here: {command}", command=command)


def server_player(level: Value) -> Sentence:
    """Return the name of a player of the server."""
    return _("{level} (bot of this server)", level=level)


def columns() -> tuple[Sentence, ...]:
    """Return the headings of the table of players."""
    return (_("Rank"), _("Name"), _("Rating"), _("Matches"), _("Wins"), _("Last matches"))


def playing() -> Sentence:
    """Return the heading of the matches under way."""
    return _("Playing now")


def watch(title: str) -> Sentence:
    """Return the text of a link to a match under way."""
    return _("Watch {title}", title=title)


def won_against(names: Value) -> Sentence:
    """Return the result of a match that a player won."""
    return _("won against {names}", names=names)


def placed_against(rank: int, names: Value) -> Sentence:
    """Return the result of a match that a player did not win."""
    return _("place {rank} against {names}", rank=rank, names=names)


def forfeited_against(names: Value) -> Sentence:
    """Return the result of a match that a player lost by the clock."""
    return _("lost on time against {names}", names=names)


def about() -> Sentence:
    """Return how ratings are to be read."""
    return _(
        "All begin at 1500. The rating is cautious: it rises as matches make it more certain. "
        "Bots of one network count as one player."
    )
