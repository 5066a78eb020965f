"""UPnP gateways, against one on loopback that speaks HTTP and SOAP."""

import asyncio
import re
from collections.abc import AsyncIterator
from ipaddress import IPv4Address, IPv6Address

import pytest

pytest.importorskip("async_upnp_client")

from server.router.port_mapping import Mapping, NoRouter, RouterRefused
from server.router.upnp import UpnpFirewall, UpnpRouter, describe

WAN, WAN_PPP, FIREWALL = "WANIPConnection:1", "WANPPPConnection:1", "WANIPv6FirewallControl:1"
IN, OUT = "in", "out"
ACTIONS = {
    WAN: {
        "GetExternalIPAddress": {"NewExternalIPAddress": ("string", OUT)},
        "AddPortMapping": {
            "NewRemoteHost": ("string", IN), "NewExternalPort": ("ui2", IN), "NewProtocol": ("string", IN),
            "NewInternalPort": ("ui2", IN), "NewInternalClient": ("string", IN), "NewEnabled": ("boolean", IN),
            "NewPortMappingDescription": ("string", IN), "NewLeaseDuration": ("ui4", IN),
        },
        "DeletePortMapping": {
            "NewRemoteHost": ("string", IN), "NewExternalPort": ("ui2", IN), "NewProtocol": ("string", IN),
        },
    },
    FIREWALL: {
        "AddPinhole": {
            "RemoteHost": ("string", IN), "RemotePort": ("ui2", IN), "InternalClient": ("string", IN),
            "InternalPort": ("ui2", IN), "Protocol": ("ui2", IN), "LeaseTime": ("ui4", IN), "UniqueID": ("ui2", OUT),
        },
        "UpdatePinhole": {"UniqueID": ("ui2", IN), "NewLeaseTime": ("ui4", IN)},
        "DeletePinhole": {"UniqueID": ("ui2", IN)},
    },
}  # fmt: skip
ACTIONS[WAN_PPP] = ACTIONS[WAN]


def service(kind: str) -> str:
    name = kind.partition(":")[0]
    return (
        f"<service><serviceType>urn:schemas-upnp-org:service:{kind}</serviceType><serviceId>{name}</serviceId>"
        f"<controlURL>/{name}</controlURL><eventSubURL>/{name}</eventSubURL><SCPDURL>/{name}.xml</SCPDURL></service>"
    )


def device(kind: str, inside: str) -> str:
    return f"<device><deviceType>urn:schemas-upnp-org:device:{kind}:1</deviceType>{inside}</device>"


DESCRIPTION = '<root xmlns="urn:schemas-upnp-org:device-1-0">{}</root>'.format(
    device("InternetGatewayDevice", "<deviceList>{}</deviceList>".format(
        device("WANDevice", f"<serviceList>{service(WAN)}{service(FIREWALL)}</serviceList>")
    ))
)  # fmt: skip


def actions(kind: str) -> str:
    """Return the description of a service's actions."""
    lists = ""
    variables: dict[str, str] = {}
    for action, values in ACTIONS[kind].items():
        told = "".join(
            f"<argument><name>{name}</name><direction>{way}</direction>"
            f"<relatedStateVariable>A_{name}</relatedStateVariable></argument>"
            for name, (_type, way) in values.items()
        )
        lists += f"<action><name>{action}</name><argumentList>{told}</argumentList></action>"
        variables |= {name: kind for name, (kind, _way) in values.items()}
    table = "".join(
        f'<stateVariable sendEvents="no"><name>A_{name}</name><dataType>{kind}</dataType></stateVariable>'
        for name, kind in variables.items()
    )
    return (
        f'<scpd xmlns="urn:schemas-upnp-org:service-1-0"><actionList>{lists}</actionList>'
        f"<serviceStateTable>{table}</serviceStateTable></scpd>"
    )


class Gateway:
    """Gateway on loopback. `taken`: outer ports of others; `errors`: error codes by action, each given once. An
    address may be "no answer"."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, str]]] = []
        self.taken: set[str] = set()
        self.errors: dict[str, list[int]] = {}
        self.asked: list[tuple[str, str]] = []
        """Services and actions of the calls."""
        self.address = "8.8.1.1"
        self.addresses: dict[str, str] = {}
        """Outer addresses of single connections."""
        self.description = DESCRIPTION
        self.location = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        found = re.search(r"Content-Length: (\d+)", head, re.IGNORECASE)
        body = (await reader.readexactly(int(found[1]))).decode() if found else ""
        status, said = self.answer(head.split()[1], body)
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(said)}\r\nContent-Type: text/xml\r\n"
                     f"Connection: close\r\n\r\n{said}".encode())  # fmt: skip
        await writer.drain()
        writer.close()

    def answer(self, path: str, body: str) -> tuple[int, str]:
        for kind in ACTIONS:
            if path == f"/{kind.partition(':')[0]}.xml":
                return 200, actions(kind)
            if path == f"/{kind.partition(':')[0]}":
                return self.call(kind, body)
        return 200, self.description

    def call(self, kind: str, body: str) -> tuple[int, str]:
        action = re.search(r"<\w+:(\w+) xmlns:\w+=.urn:schemas-upnp-org:service", body)
        assert action is not None, body
        values = dict(re.findall(r"<(\w+)>([^<]*)</\1>", body))
        self.calls.append((action[1], values))
        self.asked.append((kind, action[1]))
        address = self.addresses.get(kind, self.address)
        if address == "no answer":
            return 503, "busy"
        code = (self.errors.get(action[1]) or [0]).pop(0)
        if action[1] == "AddPortMapping" and values["NewExternalPort"] in self.taken:
            code = 718
        if code:
            fault = f"<faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail><UPnPError xmlns='urn:schemas-upnp-org:control-1-0'><errorCode>{code}</errorCode><errorDescription>no</errorDescription></UPnPError></detail>"  # noqa: E501
            return 500, envelope(f"<s:Fault>{fault}</s:Fault>")
        outs = {"NewExternalIPAddress": address, "UniqueID": "7"}
        told = "".join(f"<{n}>{outs[n]}</{n}>" for n, (_t, way) in ACTIONS[kind][action[1]].items() if way == OUT)
        named = f'<u:{action[1]}Response xmlns:u="urn:schemas-upnp-org:service:{kind}">{told}</u:{action[1]}Response>'
        return 200, envelope(named)

    def ports(self, action: str) -> list[str]:
        return [values["NewExternalPort"] for name, values in self.calls if name == action]


def envelope(body: str) -> str:
    return f'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>{body}</s:Body></s:Envelope>'


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    made = Gateway()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.location = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/root.xml"
    yield made
    server.close()


async def test_a_port_is_mapped_to_this_computer_renewed_and_removed(gateway: Gateway) -> None:
    router = UpnpRouter(await describe(gateway.location))
    assert await router.open(8600, 8600, 1200) == Mapping(IPv4Address("8.8.1.1"), 8600, 1200)
    await router.open(8600, 8600, 1200)
    await router.close(8600)
    adds = [values for name, values in gateway.calls if name == "AddPortMapping"]
    assert adds[0] == adds[1] == {
        "NewRemoteHost": "", "NewExternalPort": "8600", "NewProtocol": "TCP", "NewInternalPort": "8600",
        "NewInternalClient": "127.0.0.1", "NewEnabled": "1", "NewPortMappingDescription": "Conquest",
        "NewLeaseDuration": "1200",
    }  # fmt: skip
    assert gateway.ports("DeletePortMapping") == ["8600"]


async def test_taken_ports_are_passed_over(gateway: Gateway) -> None:
    gateway.taken = {"8600", "8601"}
    router = UpnpRouter(await describe(gateway.location))
    assert (await router.open(8600, 8600, 1200)).port == 8602
    await router.open(8600, 8600, 1200)
    await router.close(8600)
    assert gateway.ports("AddPortMapping") == ["8600", "8601", "8602", "8602"]
    assert gateway.ports("DeletePortMapping") == ["8602"]


@pytest.mark.parametrize("code", [725, 402, 501])
async def test_a_gateway_with_permanent_mappings_gets_one(gateway: Gateway, code: int) -> None:
    gateway.errors["AddPortMapping"] = [code]
    router = UpnpRouter(await describe(gateway.location))
    assert (await router.open(8600, 8600, 1200)).lifetime == 0


async def test_a_gateway_that_fails_for_a_permanent_mapping_too_refuses(gateway: Gateway) -> None:
    gateway.errors["AddPortMapping"] = [501, 501]
    router = UpnpRouter(await describe(gateway.location))
    with pytest.raises(RouterRefused, match="501"):
        await router.open(8600, 8600, 1200)
    assert len(gateway.ports("AddPortMapping")) == 2


@pytest.mark.parametrize("down", ["0.0.0.0", "", "10.0.0.9", "no answer"])
async def test_a_connection_that_does_not_reach_the_internet_is_passed_over(gateway: Gateway, down: str) -> None:
    gateway.description = DESCRIPTION.replace(service(WAN), service(WAN_PPP) + service(WAN))
    gateway.addresses[WAN_PPP] = down
    router = UpnpRouter(await describe(gateway.location))
    assert (await router.open(8600, 8600, 1200)).address == IPv4Address("8.8.1.1")
    assert [kind for kind, action in gateway.asked if action == "AddPortMapping"] == [WAN]


async def test_if_no_connection_reaches_the_internet_the_best_address_is_told(gateway: Gateway) -> None:
    gateway.description = DESCRIPTION.replace(service(WAN), service(WAN_PPP) + service(WAN))
    gateway.addresses, gateway.address = {WAN_PPP: "0.0.0.0"}, "10.0.0.9"
    router = UpnpRouter(await describe(gateway.location))
    assert (await router.open(8600, 8600, 1200)).address == IPv4Address("10.0.0.9")
    gateway.address = "0.0.0.0"
    with pytest.raises(RouterRefused) as refused:
        await router.open(8600, 8600, 1200)
    assert refused.value.address == IPv4Address(0)
    gateway.addresses, gateway.address = {WAN_PPP: "no answer"}, "no answer"
    with pytest.raises(NoRouter):
        await router.open(8600, 8600, 1200)


async def test_a_refusal_tells_the_outer_address(gateway: Gateway) -> None:
    gateway.errors["AddPortMapping"], gateway.address = [606], "100.64.0.9"
    router = UpnpRouter(await describe(gateway.location))
    with pytest.raises(RouterRefused, match="606") as refused:
        await router.open(8600, 8600, 1200)
    assert refused.value.address == IPv4Address("100.64.0.9")


async def test_a_gateway_may_hide_its_outer_address(gateway: Gateway) -> None:
    gateway.address = ""
    router = UpnpRouter(await describe(gateway.location))
    with pytest.raises(RouterRefused) as refused:
        await router.open(8600, 8600, 1200)
    assert refused.value.address == IPv4Address(0)


async def test_a_firewall_lets_ipv6_through_again_after_a_restart(gateway: Gateway) -> None:
    own = IPv6Address("2a00:1450::20")
    firewall = UpnpFirewall(await describe(gateway.location), own)
    gateway.errors["UpdatePinhole"] = [0, 704]
    for _time in range(3):
        assert await firewall.open(8600, 8600, 1200) == Mapping(own, 8600, 1200)
    await firewall.close(8600)
    assert [name for name, _values in gateway.calls] == [
        "AddPinhole", "UpdatePinhole", "UpdatePinhole", "AddPinhole", "DeletePinhole"
    ]  # fmt: skip


@pytest.mark.parametrize("said", ["<root/>", "no XML", DESCRIPTION.replace("WANIPConnection", "Layer3Forwarding")])
async def test_other_devices_are_no_gateways(gateway: Gateway, said: str) -> None:
    gateway.description = said
    with pytest.raises(NoRouter):
        await describe(gateway.location)
