"""Opener of the router's port: renewal, restarts, and what the host is told."""

from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest

from server.router import reports
from server.router.gateway import in_linux, in_linux6, in_netstat
from server.router.port_mapping import Address, Mapping, NoRouter, Router, RouterError, RouterRefused
from server.router.port_opener import LEASE, LONGEST, REFRESH, PortOpener
from shared.language.sentence import Sentence

HOME, OUTER = IPv4Address("192.168.7.20"), IPv4Address("8.8.1.1")
HOME6 = IPv6Address("2a00:1450::20")


class FakeRouter:
    """Router with an outer address. `taken`: ports of other computers; `trouble`: raised instead of an answer."""

    def __init__(self, address: Address = OUTER, lifetime: int = LEASE, taken: Sequence[int] = ()) -> None:
        self.address, self.lifetime, self.taken = address, lifetime, taken
        self.trouble: RouterError | None = None
        self.mapped: dict[int, int] = {}

    async def open(self, port: int, outside: int, seconds: int) -> Mapping:
        assert seconds == LEASE
        if self.trouble is not None:
            raise self.trouble
        self.mapped[port] = next(free for free in range(outside, outside + 9) if free not in self.taken)
        return Mapping(self.address, self.mapped[port], self.lifetime)

    async def close(self, port: int) -> None:
        del self.mapped[port]

    async def find(self) -> Router:
        return self


class Home:
    """Home network with an opener, and what was told. `routers`: in the order in which they are tried."""

    def __init__(self, *routers: FakeRouter, firewall: FakeRouter | None = None, own: Address | None = HOME) -> None:
        self.told: list[tuple[str, str]] = []
        addresses: dict[int, Address | None] = {4: own, 6: HOME6 if firewall is not None else None}
        find6 = [firewall.find] if firewall is not None else []
        self.opener = PortOpener(8600, lambda url, report: self.told.append((url, report)),
                                 [router.find for router in routers], find6, addresses.get)  # fmt: skip


def failing(error: RouterError) -> FakeRouter:
    router = FakeRouter()
    router.trouble = error
    return router


async def test_the_mapping_is_renewed_in_time_and_removed_at_the_end() -> None:
    router = FakeRouter(lifetime=50)
    home = Home(failing(NoRouter("no PCP")), router)
    pauses: list[float] = []

    class Ended(Exception):
        pass

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        router.mapped.clear()  # It restarted: it knows nothing any more.
        router.lifetime = 0
        if len(pauses) == 3:
            raise Ended

    with pytest.raises(Ended):
        await home.opener.run(pause)
    assert pauses == [25.0, REFRESH, REFRESH]
    await home.opener.refresh()
    assert router.mapped == {8600: 8600}
    assert set(home.told) == {("ws://8.8.1.1:8600", "")}
    await home.opener.close()
    assert not router.mapped


async def test_a_new_address_is_told_until_it_changes_again() -> None:
    router = FakeRouter()
    home = Home(router)
    await home.opener.refresh()
    router.address = IPv4Address("8.8.9.9")
    for _time in range(2):
        await home.opener.refresh()
    assert home.told == [("ws://8.8.1.1:8600", ""), *[("ws://8.8.9.9:8600", reports.changed())] * 2]


async def test_a_router_that_is_gone_is_replaced_by_another() -> None:
    first, second = FakeRouter(), FakeRouter(IPv4Address("8.8.2.2"))
    home = Home(first, second)
    await home.opener.refresh()
    first.trouble = NoRouter("switched off")
    await home.opener.refresh()
    assert home.told[-1] == ("ws://8.8.2.2:8600", reports.changed())
    second.trouble = NoRouter("switched off too")
    await home.opener.refresh()
    assert home.told[-1] == ("", reports.no_answer(8600))


async def test_a_port_of_another_computer_gives_the_link_another_port() -> None:
    home = Home(FakeRouter(taken=(8600, 8601)))
    await home.opener.refresh()
    assert home.told == [("ws://8.8.1.1:8602", reports.taken(8600, 8602))]


@pytest.mark.parametrize(
    ("routers", "report"),
    [
        ([], reports.no_answer(8600)),
        ([failing(NoRouter("silence"))], reports.no_answer(8600)),
        ([failing(RouterRefused("off")), failing(NoRouter("silence"))], reports.refused(8600)),
        ([failing(RouterRefused("off", OUTER))], reports.refused(8600)),
        ([failing(RouterRefused("PCP")), failing(RouterRefused("off", IPv4Address("10.0.0.2")))],
         reports.two_routers(IPv4Address("10.0.0.2"))),
        ([FakeRouter(IPv4Address("192.168.1.7"))], reports.two_routers(IPv4Address("192.168.1.7"))),
        ([FakeRouter(IPv4Address("100.72.0.9"))], reports.two_routers(IPv4Address("100.72.0.9"))),
    ],
    ids=["none", "silent", "refused", "off", "refused-behind-another", "two-routers", "carrier"],
)  # fmt: skip
async def test_each_trouble_has_a_sentence_with_what_to_do(routers: list[FakeRouter], report: str) -> None:
    home = Home(*routers)
    await home.opener.refresh()
    assert home.told == [("", report)]
    behind = Home(*routers, firewall=FakeRouter(HOME6))
    await behind.opener.refresh()
    assert behind.told == [(f"ws://[{HOME6}]:8600", reports.only_ipv6())], "IPv6 works around all of them."


async def test_a_computer_with_a_public_address_needs_no_router_and_one_without_network_says_so() -> None:
    direct, lost = Home(own=ip_address("8.8.4.4")), Home(own=None)
    await direct.opener.refresh()
    await lost.opener.refresh()
    assert direct.told + lost.told == [("ws://8.8.4.4:8600", ""), ("", reports.no_network())]


async def test_a_refusal_is_asked_for_again_after_ever_longer_pauses() -> None:
    router = failing(RouterRefused("off"))
    home = Home(router)
    pauses = [await home.opener.refresh() for _time in range(8)]
    assert pauses == [60, 120, 240, 480, 960, LONGEST, LONGEST, LONGEST]
    router.trouble = NoRouter("switched off")
    assert await home.opener.refresh() == REFRESH, "A router that is switched on again is found soon."
    router.trouble = RouterRefused("off")
    assert await home.opener.refresh() == REFRESH
    router.trouble = None
    await home.opener.refresh()
    assert home.told[-1] == ("ws://8.8.1.1:8600", "")


def test_each_no_names_the_server_as_another_way() -> None:
    told = [reports.no_answer(8600), reports.refused(8600), reports.only_ipv6(),
            *(reports.two_routers(IPv4Address(each)) for each in ("0.0.0.0", "100.64.0.9", "10.0.0.9"))]  # fmt: skip
    assert all("conquest host --at SERVER" in each for each in told)


async def test_a_bug_of_a_library_does_not_end_the_opener() -> None:
    router = FakeRouter()
    home = Home(router)

    async def broken(port: int, outside: int, seconds: int) -> Mapping:
        raise KeyError("NewExternalIPAddress")

    router.open = broken  # type: ignore[method-assign]
    assert await home.opener.refresh() == REFRESH
    assert home.told == [("", reports.no_answer(8600))]


@pytest.mark.parametrize(
    "said",
    [
        lambda: reports.no_answer(8600),
        lambda: reports.refused(8600),
        reports.no_network,
        lambda: reports.two_routers(IPv4Address("100.64.0.1")),
        lambda: reports.two_routers(IPv4Address(0)),
        lambda: reports.two_routers(IPv4Address("10.0.0.1")),
        reports.only_ipv6,
        lambda: reports.taken(8600, 8601),
        reports.changed,
        lambda: reports.name_unknown("play.example.org", "8.8.1.7"),
        lambda: reports.name_elsewhere("play.example.org", "8.8.2.7", "8.8.1.7"),
    ],
)
def test_no_report_has_an_open_gap(said: Callable[[], str]) -> None:
    assert not isinstance(said(), Sentence) and "{" not in said()


ANY = "0" * 32
LINUX = """Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
wlan0\t00000000\t0107A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
wlan0\t0007A8C0\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0
"""
LINUX6 = f"""20010db8{ANY[8:]} 40 {ANY} 00 {ANY} 00000100 00000001 00000000 00000001 eth0
{ANY} 00 {ANY} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 eth0
{ANY} 00 {ANY} 00 {ANY} ffffffff 00000001 00000000 00200200 lo
"""
MAC = """Routing tables
Internet:
Destination        Gateway            Flags           Netif Expire
default            192.168.7.1        UGScg             en0
127                127.0.0.1          UCS               lo0
Internet6:
default            fe80::1%en0        UGcg              en0
"""
WINDOWS = """Network Destination        Netmask          Gateway       Interface  Metric
          0.0.0.0          0.0.0.0      192.168.7.1     192.168.7.20     25
        127.0.0.0        255.0.0.0         On-link         127.0.0.1    331
 If Metric Network Destination      Gateway
 11    281 ::/0                     fe80::1
"""


def test_the_gateway_is_read_off_the_systems_routes() -> None:
    assert list(in_linux(LINUX)) == ["192.168.7.1"]
    assert list(in_linux6(LINUX6)) == ["fe80::1%eth0"]
    assert list(in_netstat(MAC)) == ["192.168.7.1", "fe80::1%en0"]
    assert list(in_netstat(WINDOWS)) == ["192.168.7.1", "fe80::1"]
