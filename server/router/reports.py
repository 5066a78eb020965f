"""Sentences for the host on what keeps the server from being reached from elsewhere, each with what to do next.

Clients look them up in their catalogues, so they are sent in English.
"""

from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import Final

from shared.language.sentence import _

SHARED: Final = ip_network("100.64.0.0/10")
"""Addresses that a provider gives to routers whose customers share an address (RFC 6598)."""


def no_answer(port: int) -> str:
    """Return the report that no router answers."""
    return str(
        _(
            "Your router does not answer. Turn on UPnP in its settings, or forward its port {port} to this computer, "
            "or use a server: conquest host --at SERVER.",
            port=port,
        )
    )


def refused(port: int) -> str:
    """Return the report that the router does not open the port."""
    return str(
        _(
            "Your router refuses to open port {port}. Allow UPnP in its settings, or forward the port to this "
            "computer, or use a server: conquest host --at SERVER.",
            port=port,
        )
    )


def no_network() -> str:
    """Return the report that this computer has no way to the internet."""
    return str(_("This computer is not connected to the internet. Connect it; the link then appears here."))


def two_routers(address: IPv4Address | IPv6Address) -> str:
    """Return the report that the router's outer address, 0.0.0.0 for none, is not public; nor is there IPv6."""
    if address.is_unspecified:
        return str(
            _(
                "Your router has no public address, and there is no way in by IPv6. Open the table on a server "
                "instead: conquest host --at SERVER."
            )
        )
    if address.version == 4 and address in SHARED:
        return str(
            _(
                "Your provider shares one address among its customers, and there is no way in by IPv6. Open the table "
                "on a server instead: conquest host --at SERVER."
            )
        )
    return str(
        _(
            "Your router is behind another router ({address}), and there is no way in by IPv6. Open the port there "
            "too, or use a server: conquest host --at SERVER.",
            address=str(address),
        )
    )


def only_ipv6() -> str:
    """Return the note that friends need IPv6."""
    return str(
        _("The link works by IPv6 only. Friends without IPv6 need a table on a server: conquest host --at SERVER.")
    )


def taken(port: int, other: int) -> str:
    """Return the note that the link has another port."""
    return str(
        _("Another computer has port {port} of your router, so the link has port {other}.", port=port, other=other)
    )


def name_unknown(name: str, address: str) -> str:
    """Return the note that the name in the link has no address."""
    return str(
        _(
            "The name {name} is not known on the internet. Let its DNS record lead to {address}.",
            name=name,
            address=address,
        )
    )


def name_elsewhere(name: str, found: str, address: str) -> str:
    """Return the note that the name in the link leads to another address than the router's."""
    return str(
        _(
            "The name {name} leads to {found}, but your router is at {address}. Change its DNS record, or use a "
            "dynamic DNS service.",
            name=name,
            found=found,
            address=address,
        )
    )


def changed() -> str:
    """Return the note that an earlier link does not work any more."""
    return str(_("Your public address has changed. Send your friends the new link."))
