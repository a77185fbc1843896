"""Raw English text for the shipped parser: no sentence of a set that models are tested on."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path

from wordorder.io.read_write import read_records
from wordorder.parse.tokens import split_tokens

READ = (
    "kftt30k/en-ja/train", "ntrex/en-de/all", "atis-ud/en-tr/train", "wmt-ende10k/en-de/train",
    "wmt-ende10k/en-de/val", "tatoeba/en-ja/train", "tatoeba/en-de/train", "tatoeba/en-hi/train",
    "tatoeba/en-ko/train", "tatoeba/en-tr/train", "tatoeba/en-zh/train", "small-enja/en-ja/train",
    "multi30k/en-de/train", "wpt-roen/en-ro/all",
)  # fmt: skip
TESTED = (
    "kftt-gold/en-ja/devtest", "kftt-gold/en-ja/dev", "kftt30k/en-ja/dev", "hansards/en-fr/test",
    "czenali/en-cs/dev", "liu-ensv/en-sv/dev", "atis-ud/en-tr/dev", "wpt05-enhi/en-hi/dev",
    "tsinghua-enzh/en-zh/dev", "bible-entr/en-tr/dev",
    *(f"pud/en-{language}/dev" for language in ("ar", "cs", "de", "fr", "hi", "ja", "ko", "ru", "tr", "zh")),
)  # fmt: skip
TESTED_FOLDERS = ("xlwa",)  # all parts
SHORTEST, LONGEST = 2, 70  # tokens
ENGLISH = 0.9  # least share of ASCII characters


def raw_text(
    parallel: Path, treebanks: Path, judgments: Path, *, read: Sequence[str] = READ
) -> list[list[str]]:
    """Return the sentences as words of the treebanks, each once; tested sentences are left out.

    They are those of the judgments and of the parallel sets ``read``.
    """
    seen = set(_tested(parallel, treebanks))
    found = []
    for line in _lines(parallel, judgments, read):
        tokens = line.split()
        key = _key(line)
        ascii_share = sum(c.isascii() for c in line) / max(1, len(line))
        if SHORTEST <= len(tokens) <= LONGEST and key not in seen and ascii_share >= ENGLISH:
            found.append([word for own in split_tokens(tokens) for word in own])
        seen.add(key)
    return found


def _key(line: str) -> str:
    """Ignore blanks and case, so that other tokens do not hide a sentence."""
    return "".join(line.split()).lower()


def _tested(parallel: Path, treebanks: Path) -> Iterator[str]:
    files = [parallel / f"{name}.en.gz" for name in TESTED]
    for folder in TESTED_FOLDERS:
        files += sorted((parallel / folder).glob("*/*.en.gz"))
    for path in files:
        yield from map(_key, read_records(str(path), "text"))
    for path in sorted(treebanks.glob("*/dev.conllu.gz")):
        yield from (_key(str(tree.text)) for tree in read_records(str(path), "conllu"))


def _lines(parallel: Path, judgments: Path, read: Sequence[str]) -> Iterator[str]:
    for name in read:
        yield from read_records(str(parallel / f"{name}.en.gz"), "text")
    for path in sorted(judgments.glob("*/segments.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as handle:
            names = next(handle).rstrip("\n").split("\t")
            for line in handle:
                row = dict(zip(names, line.rstrip("\n").split("\t"), strict=False))
                source, target = row["lp"].split("-")
                if source == "en":
                    yield row["source"]
                if target == "en":
                    yield row["reference"]
