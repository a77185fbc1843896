"""Real files, where they are: every one is read whole, with every link and every head checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from wordorder.io.parallel import read_parallel
from wordorder.io.read_write import read_records
from wordorder.io.sniff import sniff_file
from wordorder.preorder.corpus import read_sources

pytestmark = pytest.mark.shared


def test_manual_alignments_fit_their_texts(shared: Path) -> None:
    files = [f for f in sorted(shared.glob("data/parallel/*/*/*.align.gz")) if ".auto." not in f.name]
    pairs = possible = 0
    for path in files:
        split, language = path.name.removesuffix(".align.gz"), path.parent.name.removeprefix("en-")
        texts = [str(path.with_name(f"{split}.{side}.gz")) for side in ("en", language)]
        for row in read_sources(texts[0], align=str(path), target=texts[1]):
            pairs += 1
            possible += len(row.source.alignment.possible)
        assert sniff_file(str(path)).guesses[0].name == "pharaoh"
    assert len(files) > 25 and pairs > 9_000 and possible > 10_000


@pytest.mark.slow
def test_automatic_alignments_fit_their_texts(shared: Path) -> None:
    files = sorted(shared.glob("data/parallel/*/*/*.auto.align.gz"))
    for path in files:
        split, language = path.name.removesuffix(".auto.align.gz"), path.parent.name.removeprefix("en-")
        texts = [str(path.with_name(f"{split}.{side}.gz")) for side in ("en", language)]
        assert sum(1 for _ in read_sources(texts[0], align=str(path), target=texts[1])) > 0
    assert len(files) > 25


def test_trees_go_with_their_texts(shared: Path) -> None:
    files = sorted(shared.glob("data/parallel/*/*/*.conllu.gz"))
    for path in files:
        text = path.with_name(path.name.replace(".conllu", ""))
        for row in read_parallel([str(text), (str(path), "conllu")]):
            assert row.records[0].split(" ") == row.records[1].forms
    assert len(files) > 20


def test_tables_are_read_whole(shared: Path) -> None:
    files = sorted(shared.glob("data/judgments/wmt1*/*.tsv.gz"))
    assert files
    for path in files[:6]:
        assert sum(1 for _ in read_records(str(path), "tsv")) > 1
