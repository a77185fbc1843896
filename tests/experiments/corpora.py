"""Small corpora for the experiments, made from the bundled sample."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

from wordorder.data import sample, sample_judgments


def write_lines(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))


def sample_lines(ending: str) -> list[str]:
    return sample(f"text.{ending}").read_text("utf-8").splitlines()


def write_corpus(folder: Path, name: str, *, automatic: bool = False, lines: slice = slice(None)) -> None:
    """Write sentences of the sample as a set named set/pair/split."""
    target = name.split("/")[1].split("-")[1]
    endings = {"en": "en", target: "ja", ("auto." if automatic else "") + "align": "align"}
    for ending, origin in endings.items():
        write_lines(folder / f"{name}.{ending}.gz", sample_lines(origin)[lines])
    trees = sample("text.conllu").read_text("utf-8").strip("\n").split("\n\n")[lines]
    write_lines(folder / f"{name}.en.conllu.gz", ["\n\n".join(trees), ""])


def write_judgments(folder: Path, name: str) -> None:
    """Write the judgments of the sample as those of another year."""
    for path in sample_judgments().glob("*.tsv"):
        write_lines(folder / name / f"{path.name}.gz", path.read_text("utf-8").splitlines())
