"""Pages of the operator: what they may contain, who is told of them, and that the samples are such pages."""

import re
from pathlib import Path

import pytest

from server.command_line import main, parser
from server.tools.serve import settings_of
from server.web.operator_pages import read_pages
from shared.messages import Welcome
from shared.tables import OPERATOR_PAGES
from tests.server.fakes import Client, serving
from tests.server.test_mails import asked

SAMPLES = Path(__file__).parents[2] / "deploy" / "pages"
HOSTILE = """# Terms & <b>conditions</b> <script>alert(1)</script>

<script>alert(2)</script>

<img src=x onerror=alert(3)> [click](javascript:alert(4)) ![](https://tracker.example/a.png) <https://fine.example>

[ref]: vbscript:alert(5)
[ref] [data](data:text/html;base64,PHNjcmlwdD4=) [here](privacy "on\\"load=alert(6)")

| a | b |
|---|---|
| <iframe src="//x"> | `<style>` |
"""


def text_of(folder: Path, name: str) -> str:
    """Return a page as it is sent."""
    return read_pages(folder)[f"/{name}"].plain.decode()


def test_no_markup_of_the_text_itself_gets_into_a_page(tmp_path: Path) -> None:
    (tmp_path / "terms.md").write_text(HOSTILE)
    page = text_of(tmp_path, "terms")
    head, _, words = page.partition("<body>")
    tags = set(re.findall(r"<(\w+)", page))
    assert tags <= {
        "html", "head", "meta", "title", "link", "body", "header", "a", "main", "article", "h1", "p", "table", "thead",
        "tbody", "tr", "th", "td", "code",
    }  # fmt: skip
    assert set(re.findall(r' ([a-z-]+)="', words)) <= {"href", "class", "title"}
    assert re.findall(r'href="([^"]*)"', words) == [
        "./", "terms", "https://tracker.example/a.png", "https://fine.example", "privacy",
    ], "pictures are links"  # fmt: skip
    assert "&lt;script&gt;" in head and "&lt;script&gt;alert(2)" in words


def test_each_page_has_its_heading_as_title_and_links_to_the_others(tmp_path: Path) -> None:
    (tmp_path / "contact.md").write_text("\ufeff# Impressum #\n\nLivia", "utf-8")
    (tmp_path / "privacy.md").write_text("No heading here.")
    (tmp_path / "other.md").write_text("# Not a page")
    pages = read_pages(tmp_path)
    assert set(pages) == {"/contact", "/privacy"}
    assert "<title>Impressum – Conquest</title>" in text_of(tmp_path, "contact")
    assert '<a href="privacy">Privacy</a><a href="contact">Impressum</a>' in text_of(tmp_path, "contact")
    assert "<title>Privacy – Conquest</title>" in text_of(tmp_path, "privacy")


@pytest.mark.parametrize(("files", "words"), [({}, "has none of terms.md, privacy.md, contact.md"),
                                              ({"terms.md": b"\xff\xfe\x00"}, "as UTF-8")])  # fmt: skip
def test_a_folder_without_readable_pages_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, bytes], words: str
) -> None:
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    assert main(["serve", "--port", "0", "--data", str(tmp_path / "data"), "--pages", str(tmp_path)]) != 0
    assert words in capsys.readouterr().err


async def test_clients_are_told_of_the_pages_and_anybody_reads_them(tmp_path: Path) -> None:
    pages = settings_of(parser().parse_args(["serve", "--pages", str(SAMPLES)])).pages
    async with serving(tmp_path, pages=pages, public="play.example.org") as app:
        client = await Client(app.address).open()
        await client.wait_for(Welcome)
        assert [name for name in OPERATOR_PAGES if name in client.session.can] == list(OPERATOR_PAGES)
        for name in OPERATOR_PAGES:
            answer = await asked(app, "GET", f"https://play.example.org/{name}")
            assert answer.startswith("HTTP/1.1 200") and "default-src 'none'; script-src 'self'" in answer
            assert f"<title>{name.capitalize()} – Conquest</title>" in answer
            assert (await asked(app, "POST", f"https://play.example.org/{name}", b"")).startswith("HTTP/1.1 405")
            style = re.findall(r'stylesheet" href="([^"]+)"', answer)
            assert (await asked(app, "GET", f"https://play.example.org/{style[0]}")).startswith("HTTP/1.1 200")
    async with serving(tmp_path) as app:
        client = await Client(app.address).open()
        await client.wait_for(Welcome)
        assert not set(OPERATOR_PAGES) & set(client.session.can)
        assert (await asked(app, "GET", f"https://{app.address[5:]}/terms")).startswith("HTTP/1.1 404")
