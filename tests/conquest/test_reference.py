"""The reference that pdoc makes from docstrings."""

from pathlib import Path

import pytest
from pdoc import pdoc

import conquest


@pytest.mark.long
def test_the_reference_has_a_page_for_the_library_and_its_client(tmp_path: Path) -> None:
    pdoc("conquest", "conquest.client", output_directory=tmp_path)
    page = (tmp_path / "conquest.html").read_text("utf-8")
    assert not [name for name in conquest.__all__ if f'id="{name}"' not in page]
    assert 'id="Table.turns"' in (tmp_path / "conquest" / "client.html").read_text("utf-8")
