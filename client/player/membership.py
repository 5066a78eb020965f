"""State of a person as a member of a server, in words."""

from client.language import _
from shared.messages import Membership


def member_words(told: Membership) -> str:
    """Return who the person is on that server, and what they can do next."""
    if told.signed_in:
        return _("This device is signed in: you are {name} here.", name=told.name)
    if told.waiting:
        return _("A code was sent to {mail}. Enter it here.", mail=_(" and to ").join(told.waiting))
    if told.member and told.mail:
        return _("You are {name} here, a member by {mail}. Your name is yours.", name=told.name, mail=told.mail)
    if told.member:
        return _("You are {name} here, a member by invitation. Your name is yours.", name=told.name)
    way = (
        _("With a mail address your name is yours, and you come back on any device.")
        if told.sends
        else _("With an invitation of the operator your name is yours.")
    )
    return f"{_('You are {name} here, a guest.', name=told.name)} {way}"
