"""Files to blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from wordorder.engine.text_blocks import AlignmentFiles, read_blocks
from wordorder.io import aligned


def test_the_format_of_given_links_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text").write_text("a b\n" * 50)
    (tmp_path / "links").write_text("0-1 1-0\n" * 50)
    text, links = str(tmp_path / "text"), str(tmp_path / "links")
    made: list[object] = []
    original = aligned.file_format
    monkeypatch.setattr(aligned, "file_format", lambda form: made.append(form) or original(form))
    files = AlignmentFiles(source=text, references=[links], systems=[links], form="pharaoh:base=0")
    (block,) = read_blocks([text], [text], alignments=files)
    assert block.given and len(block.given[0].hypotheses) == 50
    assert made.count("pharaoh:base=0") == 1
