"""The examples of the library run."""

import asyncio
import importlib.util
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import conquest
from shared.messages import Start
from shared.tables import SeatKind
from tests.server.test_bot_client import host, served, table, until

EXAMPLES = Path(__file__).parents[2] / "deploy" / "examples"


def example(name: str) -> ModuleType:
    """Return an example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
def test_the_study_counts_each_match() -> None:
    found = example("first_bids").study(2)
    assert sum(matches for matches, _ in found.values()) == 2


@pytest.mark.long
def test_the_pupil_learns_saves_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pupil = example("pupil")
    monkeypatch.setattr(pupil, "STORED", tmp_path / "pupil.npz")
    network = pupil.train(1, 0, 1)
    np.savez_compressed(pupil.STORED, *network.weights)
    table = conquest.new(pupil.GAME, seats=2, seed=1, options=pupil.OPTIONS)
    player = pupil.Pupil(seed=1)
    pairs = zip(player.network.weights, network.weights, pupil.train(1, 0, 1).weights, strict=True)
    assert all(np.array_equal(stored, own) and np.array_equal(own, again) for stored, own, again in pairs)
    for _ in range(20):
        view = table.observe(table.to_move)
        action = player.decide(view, view.legal())
        assert action in view.legal()
        table.play(action)


def test_the_pupils_network_learns_the_best_rows() -> None:
    pupil, chance = example("pupil"), np.random.default_rng(3)
    rows = [chance.normal(size=(5, 6)).astype(np.float32) for _ in range(40)]
    decisions = [(each, int(each[:, 0].argmax())) for each in rows]
    network = pupil.Network.fresh(6)
    for _ in range(120):
        network.learn(decisions, 0.01)
    assert sum(int(network.score(each).argmax()) == best for each, best in decisions) > 36


def test_the_notebook_runs_and_shows_pictures() -> None:
    cells = json.loads((EXAMPLES / "pictures.ipynb").read_text("utf-8"))["cells"]
    known: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            *lines, last = "".join(cell["source"]).rstrip().split("\n")
            exec("\n".join(lines), known)
            shown = eval(last, known)
    assert shown.attacker > 0 and known["game"]._repr_svg_().startswith("<svg")


@contextmanager
def receiver(reports: list[Any]) -> Iterator[str]:
    """Receive reports at the address that is yielded."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            reports.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.long
async def test_the_bot_and_the_webhook_play_to_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reports: list[Any] = []
    with receiver(reports) as url:
        async with served(tmp_path) as app:
            hanna = await host(app.address, "classic", 3)
            code = table(hanna).code
            playing = [asyncio.create_task(example("library_bot").main(app.address, code))]
            playing.append(asyncio.create_task(example("results_webhook").main(app.address, code, url)))
            await until(hanna, [SeatKind.PERSON, SeatKind.PERSON, SeatKind.BOT])
            await hanna.say(Start)
            async with asyncio.timeout(100):
                await asyncio.gather(*playing)
            hanna.cut()
    assert [report["event"] for report in reports] == ["over"] and len(reports[0]["ranking"]) == 3
    assert capsys.readouterr().out.startswith("1. ")
