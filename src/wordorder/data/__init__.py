"""Data that comes with the package."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent  # importlib.resources would take longer to import than most scores


def sample(name: str) -> Path:
    """Return the path of a file of the sample corpus.

    >>> sample("reference.txt").read_text(encoding="utf-8").splitlines()[0]
    'i will wait for you tomorrow'
    """
    return _HERE / "sample" / name


def sample_judgments() -> Path:
    """Return the folder of the sample judgments.

    >>> sorted(path.name for path in sample_judgments().glob("*.tsv"))
    ['outputs.tsv', 'pairs.tsv', 'segments.tsv']
    """
    return _HERE / "judgments"


def package_file(name: str) -> Path:
    """Return the path of another data file of the package.

    >>> package_file("forest_weights.json").name
    'forest_weights.json'
    """
    return _HERE / name
