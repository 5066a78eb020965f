"""Sentences outside of the game: notes of tables, alerts to players, and mails."""

from collections.abc import Sequence

from shared.language.sentence import Sentence, _, and_list


def turn_note(names: Sequence[str], table: str) -> Sentence:
    """Return the note outside of the game that these players must decide; without players, the first note."""
    if not names:
        return _("Here you are told whose decision is awaited at “{table}”.", table=table)
    return _("{who}: your decision is awaited at “{table}”.", who=and_list(names), table=table)


def turn_alert(table: str) -> Sentence:
    """Return the title of an alert to a player who must decide at that table."""
    return _("Your turn at “{table}”", table=table)


def turn_reminder(table: str) -> Sentence:
    """Return the title of a reminder to a player who must still decide at that table."""
    return _("Reminder: your turn at “{table}”", table=table)


def decide_until(date: str) -> Sentence:
    """Return the sentence for the end of a player's time."""
    return _("Time until {date}.", date=date)


def trial() -> Sentence:
    """Return the text of a notice that a player sends to try their settings."""
    return _("This is a trial: notices reach you here.")


def code_title() -> Sentence:
    """Return the subject of the mail with a code."""
    return _("Your code for notices of Conquest")


def code_text(code: str) -> Sentence:
    """Return the text of the mail that brings a new address its code."""
    return _(
        "A player of Conquest wants notices at this address. If that is you, enter this code there: {code}", code=code
    )


def code_unwanted() -> Sentence:
    """Return what the owner of an address is told who did not ask for a code."""
    return _("If it is not you, do nothing. Without the code, no notice is sent to this address.")


def member_title() -> Sentence:
    """Return the subject of the mail with a code for a member's address."""
    return _("Your code for Conquest")


def member_text(server: str, code: str) -> Sentence:
    """Return the text of the mail that confirms an address."""
    return _(
        "A player of Conquest on {server} gave this address as theirs. If that is you, enter this code there: {code}",
        server=server,
        code=code,
    )


def sign_in_text(server: str, name: str, code: str) -> Sentence:
    """Return the text of the mail that opens a member's profile to another device."""
    return _(
        "This code signs a device in as {name} on {server}: {code}. It works once, within an hour.",
        server=server,
        name=name,
        code=code,
    )


def change_text(server: str, mail: str, code: str) -> Sentence:
    """Return the text of the mail that asks the owner of the old address."""
    return _(
        "Your address on {server} shall be {mail} from now on. If you want that, enter this code there too: {code}",
        server=server,
        mail=mail,
        code=code,
    )


def member_unwanted() -> Sentence:
    """Return what the owner of an address is told who did not ask for a code."""
    return _("If it is not you, do nothing and tell nobody the code. Without it nothing changes.")


def stop_link(link: str) -> Sentence:
    """Return the end of each mail, with the link that stops further ones."""
    return _("No more of these mails: {link}", link=link)


def stop_question(address: str) -> Sentence:
    """Return the question of the page that stops mails."""
    return _("Shall {address} get no more notices?", address=address)


def stop_button() -> Sentence:
    """Return the words of the link that stops mails."""
    return _("No more mails")


def stopped() -> Sentence:
    """Return the page's text once mails are stopped."""
    return _("No more mails are sent to this address.")


def stopped_before() -> Sentence:
    """Return the page's text for a link that stops nothing."""
    return _("This link stops nothing (any more): no notices are sent by mail.")
