"""The files for operators: the programs understand them, and they contain no secrets."""

import asyncio
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import nats
import nats.errors
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from server.command_line import parser

DEPLOY = Path(__file__).parents[2] / "deploy"
SECRETS = str(DEPLOY / "make_secrets.py")


def compose(name: str) -> dict[str, Any]:
    """Return a compose file."""
    read: dict[str, Any] = yaml.safe_load((DEPLOY / name).read_text())
    return read


CLUSTER = compose("compose.cluster.yaml")
SERVICES: dict[str, Any] = CLUSTER["services"]
NODES = ["node-1", "node-2", "node-3"]


def test_a_cluster_has_three_nodes_and_all_that_they_need() -> None:
    assert set(SERVICES) == {*NODES, "postgres", "nats", "nginx", "prometheus", "grafana"}
    for name, service in SERVICES.items():
        assert service["restart"] == "unless-stopped", name
        assert name in NODES or re.fullmatch(r"[a-z/]+:v?\d+\.\d+(\.\d+)?(-alpine)?", service["image"]), name
        # That of the nodes is in their image.
        assert name in NODES or service["healthcheck"]["test"][0].startswith("CMD"), name
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    assert "HEALTHCHECK" in dockerfile
    assert all(re.fullmatch(r"python:3\.\d+\.\d+-slim-[a-z]+", image) for image in images(dockerfile))
    assert {SERVICES[name]["hostname"] for name in NODES} == set(NODES)


def images(dockerfile: str) -> list[str]:
    """Return the images on which it builds."""
    return re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)


def test_every_library_of_the_image_has_one_version_within_the_bounds() -> None:
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    lines = (DEPLOY / "constraints.txt").read_text().splitlines()
    pins = {name: version for name, _, version in (line.partition("==") for line in lines if not line.startswith("#"))}
    assert all(pins.values())
    pinned = {canonicalize_name(name): version for name, version in pins.items()}
    for text in (*project["dependencies"], *extras["verify"], *extras["wire"], *extras["server"], *extras["ladder"],
                 *extras["cluster"]):  # fmt: skip
        wanted = Requirement(text)
        if wanted.name == project["name"]:  # Another extra of ours, which is in the list too.
            continue
        assert wanted.specifier.contains(pinned[canonicalize_name(wanted.name)]), text


def test_alerts_ask_for_what_there_is_and_say_what_to_do() -> None:
    (group,) = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    asked = {name for rule in group["rules"] for name in re.findall(r"conquest_\w+", rule["expr"])}
    drawn = set(re.findall(r"conquest_\w+", (DEPLOY / "grafana.json").read_text()))
    assert asked <= drawn, "of what is drawn another test knows that it is there"
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in ("critical", "warning")
        assert {"summary", "action"} == set(rule["annotations"])
    for file in ("prometheus.yml", "prometheus.cluster.yml"):
        assert yaml.safe_load((DEPLOY / file).read_text())["rule_files"] == ["alerts.yml"]
    assert "./alerts.yml:/etc/prometheus/alerts.yml:ro" in SERVICES["prometheus"]["volumes"]


@pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool here")
def test_alerts_fire_when_they_should() -> None:
    rules = Path(__file__).with_name("alerts_test.yml")
    subprocess.run(["promtool", "test", "rules", str(rules)], check=True)


def test_secrets_are_files_that_the_program_makes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, SECRETS, "--into", str(tmp_path / "made")], check=True)
    files = {name: Path(secret["file"]) for name, secret in CLUSTER["secrets"].items()}
    made = {file.name for file in (tmp_path / "made").iterdir()}
    assert {file.name for file in files.values()} - {"fullchain.pem", "privkey.pem"} == made
    for service in SERVICES.values():
        used = [each if isinstance(each, str) else each["source"] for each in service.get("secrets", [])]
        assert set(used) <= set(files)
        for key, value in service.get("environment", {}).items():
            assert "PASSWORD" not in key or str(value).startswith("/run/secrets/")
            assert not str(value).startswith("/run/secrets/") or Path(value).name in used
    assert not re.search(r"://[^/\s]+:[^/\s]+@", (DEPLOY / "compose.cluster.yaml").read_text())
    assert "deploy/secrets/" in (DEPLOY.parent / ".gitignore").read_text().split()


def test_only_the_proxy_is_reached_from_outside() -> None:
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert ports == {"nginx": ["443:443"], "grafana": ["127.0.0.1:3000:3000"]}
    assert CLUSTER["networks"]["inside"]["internal"] is True
    assert all("inside" in service["networks"] for service in SERVICES.values())


def test_mounts_exist_and_dependencies_are_known() -> None:
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith(".") else source in CLUSTER["volumes"]
        assert set(service.get("depends_on", {})) <= set(SERVICES)


@pytest.mark.parametrize("file", ["conquest.service", "conquest@.service"])
def test_the_units_say_what_the_server_understands(file: str) -> None:
    (line,) = re.findall(r"ExecStart=\S+ (.*)", (DEPLOY / file).read_text())
    said = line.replace("${PORT}", "8601").replace("${METRICS}", "9601").replace("${NAME}", "play.example.org")
    args = parser().parse_args(shlex.split(said))
    assert args.behind_proxy == [ip_network("127.0.0.1"), ip_network("::1")] and args.public == "play.example.org"


def test_the_containers_say_what_the_server_understands() -> None:
    (single,) = re.findall(r"^CMD (\[\"serve.*)", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    composed = compose("compose.yaml")
    (gateway,) = [each["gateway"] for each in composed["networks"]["default"]["ipam"]["config"]]
    (inside,) = CLUSTER["networks"]["inside"]["ipam"]["config"]
    nginx = SERVICES["nginx"]["networks"]["inside"]["ipv4_address"]
    assert ip_address(nginx) in ip_network(inside["subnet"]) and ip_address(nginx) not in ip_network(inside["ip_range"])
    proxies = [(json.loads(single), None), (composed["services"]["conquest"]["command"], gateway)]
    proxies += [(SERVICES[name]["command"], nginx) for name in NODES]
    for command, proxy in proxies:
        args = parser().parse_args([re.sub(r"\$\{[^}]*\}", "play.example.org", word) for word in command])
        assert (args.host, args.port, args.data) == ("0.0.0.0", 8600, Path("/data"))
        assert args.behind_proxy == ([] if proxy is None else [ip_network(proxy)])
        assert bool(args.public) == (proxy is not None), "by that name the proxy asks"
    assert set(SERVICES["node-1"]["environment"]) == {"CONQUEST_STORE_FILE", "CONQUEST_BUS_FILE"}


def test_everything_asks_where_the_nodes_are() -> None:
    asked = yaml.safe_load((DEPLOY / "prometheus.cluster.yml").read_text())["scrape_configs"][0]["static_configs"]
    assert asked == [{"targets": [f"{name}:9600" for name in NODES]}]
    assert re.findall(r"^server (\S+)", (DEPLOY / "nginx" / "nodes.conf").read_text(), re.MULTILINE) == [
        f"{name}:8600" for name in NODES
    ]
    assert compose("compose.yaml")["services"]["conquest"]["build"] == SERVICES["node-1"]["build"]
    for file in ("sources.yaml", "dashboards.yaml"):
        assert yaml.safe_load((DEPLOY / "grafana" / file).read_text())["apiVersion"] == 1


async def test_the_bus_lets_in_who_has_its_secret(tmp_path: Path) -> None:
    made = [sys.executable, SECRETS, "--into", str(tmp_path / "secrets")]
    assert [subprocess.run(made, capture_output=True).returncode for _ in range(2)] == [0, 1]
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    # Ports that the system chooses, in place of those within a container.
    config = (tmp_path / "secrets" / "nats.conf").read_text()
    (tmp_path / "nats.conf").write_text(config.replace("4222", "-1").replace("127.0.0.1:8222", "127.0.0.1:-1"))
    program = Path(sys.executable).with_name("nats-server")
    where = ["-c", str(tmp_path / "nats.conf"), "-a", "127.0.0.1", "--ports_file_dir", str(tmp_path)]
    server = await asyncio.create_subprocess_exec(program, *where, stderr=asyncio.subprocess.DEVNULL)
    try:
        ports = tmp_path / f"nats-server_{server.pid}.ports"
        async with asyncio.timeout(20):
            while not (ports.exists() and ports.read_text()):
                await asyncio.sleep(0.01)
        here = json.loads(ports.read_text())["nats"][0].removeprefix("nats://")
        bus = (tmp_path / "secrets" / "bus").read_text()
        client = await nats.connect(bus.replace("nats:4222", here), allow_reconnect=False)
        await client.flush()
        await client.close()
        with pytest.raises(nats.errors.Error):
            await nats.connect(f"nats://{here}", allow_reconnect=False)
    finally:
        server.kill()
        await server.wait()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
@pytest.mark.parametrize("file", ["conquest.service", "conquest@.service"])
def test_systemd_understands_the_units(file: str, tmp_path: Path) -> None:
    unit = (DEPLOY / file).read_text().replace("/opt/conquest/bin/conquest-server", sys.executable)
    (tmp_path / file).write_text(unit)
    verified = subprocess.run(["systemd-analyze", "verify", str(tmp_path / file)], capture_output=True, text=True)
    assert (verified.returncode, [line for line in verified.stderr.splitlines() if "conquest" in line]) == (0, [])


def test_nginx_keeps_no_log_of_requests() -> None:
    for name in ("nginx.conf", "nginx/main.conf"):
        assert re.findall(r"^\s*access_log (.*);", (DEPLOY / name).read_text(), re.MULTILINE) == ["off"], name


def test_nginx_names_the_host_and_the_client_in_every_location() -> None:
    """Headers that are set outside of a location are lost as soon as it sets one itself."""
    outside, *locations = re.split(r"\n    location ", (DEPLOY / "nginx.conf").read_text())
    assert len(locations) == 2 and "proxy_set_header" not in outside
    for location in locations:
        for header in ("Host $http_host", "X-Forwarded-For $proxy_add_x_forwarded_for"):
            assert f"proxy_set_header {header};" in location
