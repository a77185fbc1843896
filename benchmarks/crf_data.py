"""Aligned sentences for training the forest CRF elsewhere: one file with all sets, and scores of orders.

    python benchmarks/crf_data.py FOLDER bundle.npz

packs English sentences and their links from a folder of parallel text. Reading the file needs numpy only.
"""

from __future__ import annotations

import gzip
import itertools
import json
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# name: file stem, target language, whether links are manual
SETS = {
    "kftt-dev": ("kftt-gold/en-ja/dev", "ja", True),
    "kftt-devtest": ("kftt-gold/en-ja/devtest", "ja", True),
    "kftt30k": ("kftt30k/en-ja/train", "ja", False),
    "pud-ja": ("pud/en-ja/dev", "ja", True),
    "pud-ko": ("pud/en-ko/dev", "ko", True),
    "pud-zh": ("pud/en-zh/dev", "zh", True),
    "pud-hi": ("pud/en-hi/dev", "hi", False),
    "pud-tr": ("pud/en-tr/dev", "tr", False),
    "wpt-hi": ("wpt05-enhi/en-hi/dev", "hi", True),
    "atis-train": ("atis-ud/en-tr/train", "tr", False),
    "atis-dev": ("atis-ud/en-tr/dev", "tr", False),
    "tsinghua": ("tsinghua-enzh/en-zh/dev", "zh", True),
    "bible": ("bible-entr/en-tr/dev", "tr", True),
    "hansards": ("hansards/en-fr/test", "fr", True),
    "czenali": ("czenali/en-cs/dev", "cs", True),
    "liu": ("liu-ensv/en-sv/dev", "sv", True),
    "small-enja": ("small-enja/en-ja/train", "ja", False),
    "multi30k": ("multi30k/en-de/train", "de", False),
    "wmt-ende10k": ("wmt-ende10k/en-de/train", "de", False),
    **{f"tatoeba-{x}": (f"tatoeba/en-{x}/train", x, False) for x in ("ja", "ko", "tr", "hi", "zh")},
    **{f"ntrex-{x}": (f"ntrex/en-{x}/all", x, False) for x in ("ja", "ko", "tr", "hi", "zh")},
}
BLOCK = 20  # sentences of a document where documents are not told


@dataclass(frozen=True)
class Set:
    """Sentences, their links ``[link, 2]``, and the document of each."""

    name: str
    language: str
    manual: bool
    words: list[list[str]]
    links: list[np.ndarray]
    documents: list[int]

    def __len__(self) -> int:
        return len(self.words)

    def fold(self, number: int, folds: int, *, inside: bool) -> list[int]:
        """The sentences of the documents of a fold, or of all others."""
        return [s for s, doc in enumerate(self.documents) if (doc % folds == number) == inside]


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8").split("\n")[:-1]


def read_set(folder: Path, name: str) -> Set:
    stem, language, manual = SETS[name]
    words = [line.split() for line in lines(folder / f"{stem}.en.gz")]
    marked = lines(folder / f"{stem}.{'' if manual else 'auto.'}align.gz")
    links = []
    for line in marked:
        pairs = [link.replace("?", "-").split("-") for link in line.split()]
        links.append(np.array(pairs, dtype=np.int16).reshape(-1, 2))
    documents = [s // BLOCK for s in range(len(words))]
    parses = folder / f"{stem}.en.conllu.gz"
    if stem.startswith("pud") and parses.exists():
        names = [line.split(" = ")[1][:6] for line in lines(parses) if line.startswith("# sent_id")]
        assert len(names) == len(words)
        documents = [zlib.crc32(one.encode()) % 100_000 for one in names]
    assert len(words) == len(links)
    return Set(name, language, manual, words, links, documents)


def pack(folder: Path, target: Path) -> None:
    arrays: dict[str, np.ndarray] = {}
    about = {}
    for name in SETS:
        if not (folder / f"{SETS[name][0]}.en.gz").exists():
            print(f"{name}: not there")
            continue
        one = read_set(folder, name)
        text = "\n".join(" ".join(words) for words in one.words)
        arrays[f"{name}.text"] = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
        arrays[f"{name}.links"] = np.concatenate(one.links)
        arrays[f"{name}.counts"] = np.array([len(links) for links in one.links], dtype=np.int32)
        arrays[f"{name}.documents"] = np.array(one.documents, dtype=np.int32)
        about[name] = {"language": one.language, "manual": one.manual}
        print(f"{name}: {len(one)} sentences, {len(arrays[f'{name}.links'])} links, {one.language}")
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    target.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(target, **arrays)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


def unpack(path: Path, limit: int | None = None) -> dict[str, Set]:
    """All sets of a bundle, the first sentences of each if there is a limit."""
    found = {}
    with np.load(path) as arrays:
        about = json.loads(arrays["about"].tobytes())
        for name, facts in about.items():
            words = [line.split() for line in arrays[f"{name}.text"].tobytes().decode("utf-8").split("\n")]
            ends = np.cumsum(arrays[f"{name}.counts"])[:-1]
            links = np.split(arrays[f"{name}.links"].astype(np.int64), ends)
            documents = arrays[f"{name}.documents"].tolist()
            found[name] = Set(
                name, facts["language"], facts["manual"], words[:limit], links[:limit], documents[:limit]
            )
    return found


def nakagawa_ranks(links: np.ndarray, words: int) -> np.ndarray | None:
    """As :func:`wordorder.evaluate.gold.nakagawa_ranks`: -1 without links, None where spans are nested."""
    spans: list[tuple[int, int] | None] = [None] * words
    for i, j in links.tolist():
        first, last = spans[i] or (j, j)
        spans[i] = min(first, j), max(last, j)
    ordered = sorted({span for span in spans if span is not None})
    if any(b[1] < a[1] for a, b in itertools.pairwise(ordered)):
        return None
    place = {span: rank for rank, span in enumerate(ordered)}
    return np.array([-1 if span is None else place[span] for span in spans])


def nakagawa(ranks: np.ndarray, order: list[int]) -> tuple[float, float, float]:
    """Tau, fuzzy reordering score and exact match of one sentence, as the ``nakagawa`` variant has them."""
    read = ranks[np.array(order, dtype=np.int64)]
    read = read[read >= 0]
    n = len(read)
    if n < 2:
        return 1.0, 1.0, 1.0
    wrong = int(np.triu(read[:, None] > read[None], 1).sum())
    step = np.diff(read)
    ends = int(read[0] == 0) + int(read[-1] == read.max())
    right = int(((step == 0) | (step == 1)).sum())
    return 1 - wrong / (n * (n - 1) / 2), (right + ends) / (n + 1), float(wrong == 0)


def score_orders(one: Set, places: list[int], orders: list[list[int]]) -> dict[str, float]:
    """Means over the sentences whose links contradict no order."""
    rows = []
    for place, order in zip(places, orders, strict=True):
        ranks = nakagawa_ranks(one.links[place], len(one.words[place]))
        if ranks is not None:
            rows.append(nakagawa(ranks, order))
    means = np.mean(rows, axis=0) if rows else np.ones(3)
    return {"tau": float(means[0]), "frs": float(means[1]), "exact": float(means[2]), "used": len(rows)}


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
