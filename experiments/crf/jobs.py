"""The jobs of docs/make_crf.py: a system learns one part of a set with one seed, and its orders are stored.

A store is a folder with a file for each job and tested set, written all or not at all, so that a run can be
ended at any time and go on later or elsewhere. Beside orders, the files of forest CRFs have the tables of
expectations that the orders follow from, so that systems can be averaged afterwards.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from crf_sets import SETS, TREEBANK, Corpus, Data

from wordorder.core.permutation import Permutation
from wordorder.io.files import open_output
from wordorder.preorder import Source, Training
from wordorder.preorder.crf import ForestCRF
from wordorder.preorder.crf.decoding import Expectations, cautious, ranked
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.rules import rule_set
from wordorder.preorder.rules.counting import linked_ranks
from wordorder.preorder.rules.learning import learn_rules
from wordorder.preorder.rules.matching import Matcher

STEP = 2048  # probabilities are kept as multiples of 1/2048, which 16 bits hold
FEWER: dict[str, Any] = {"reading": 3, "automatic_epochs": 3, "epochs": 15}  # passes over much text
Tables = list[list[Expectations]]  # of the pieces of each sentence


@dataclass(frozen=True)
class System:
    """A row of the table."""

    title: str
    kind: str  # rules, learned, grammar, features, neural
    raw: bool = False
    automatic: bool = False
    several: bool = False  # learns all languages at once, from a lot of text
    careful: bool = False  # learns when not to move words

    @property
    def is_crf(self) -> bool:
        """Whether there are tables to store."""
        return self.kind in ("features", "neural")

    @property
    def untrained(self) -> ForestCRF:
        """The forest CRF that is to learn."""
        fewer = FEWER if self.several else {}
        return ForestCRF(kind=self.kind, careful=self.careful, **fewer)  # type: ignore[arg-type]

    @property
    def signature(self) -> str:
        """All settings of a forest CRF; nothing for others."""
        return self.untrained.signature if self.is_crf else ""

    def runs_on(self, name: str) -> bool:
        """Whether a set has what the system needs."""
        one = SETS[name]
        if self.careful:
            return one.still
        if self.several:
            return name in ("atis", *(f"pud-{language}" for language in TREEBANK))
        wanted = {"rules": bool(one.rules), "learned": one.parsed}.get(self.kind, True)
        return wanted and not (self.automatic and not one.automatic)

    def seeds(self, given: Sequence[int]) -> Sequence[int]:
        """Rules do not depend on chance."""
        return given if self.kind not in ("rules", "learned") else (0,)


SYSTEMS = {
    "rules": System("hand-written rules, gold trees", "rules"),
    "learned": System("learned rules, gold trees", "learned"),
    "grammar": System("Reordering Grammar", "grammar"),
    "features": System("feature CRF", "features"),
    "features-raw": System("feature CRF, raw text", "features", raw=True),
    "features-auto": System("feature CRF, raw text, automatic links", "features", raw=True, automatic=True),
    "features-careful": System("feature CRF, careful", "features", careful=True),
    "network": System("neural CRF", "neural"),
    "network-raw": System("neural CRF, raw text", "neural", raw=True),
    "network-auto": System("neural CRF, raw text, automatic links", "neural", raw=True, automatic=True),
    "network-careful": System("neural CRF, careful", "neural", careful=True),
    "network-languages": System("neural CRF, five languages at once", "neural", several=True),
}


class Job(NamedTuple):
    """One training."""

    system: str
    set: str
    part: int
    seed: int

    def __str__(self) -> str:
        return ".".join(map(str, self))

    @classmethod
    def of(cls, text: str) -> Job:
        """The inverse of ``str``."""
        system, name, part, seed = text.split(".")
        return cls(system, name, int(part), int(seed))

    @property
    def tests(self) -> list[str]:
        """The sets that are tested: several where one training serves them all."""
        if not SYSTEMS[self.system].several:
            return [self.set]
        return [f"pud-{language}" for language in TREEBANK] + (["atis"] if self.part == 0 else [])


def jobs(sets: Sequence[str], systems: Sequence[str], seeds: Sequence[int]) -> Iterator[Job]:
    """All of them, the first seed first."""
    for seed in (0, *seeds):
        for name in sets:
            for system in systems:
                made = SYSTEMS[system]
                if seed not in made.seeds(seeds) or not made.runs_on(name):
                    continue
                # One training for the whole treebank; it is counted with its first language.
                if not made.several or name == f"pud-{TREEBANK[0]}":
                    yield from (Job(system, name, part, seed) for part in range(SETS[name].parts))


class Stored(NamedTuple):
    """What a job left behind for one set."""

    orders: list[Permutation]
    tables: Tables
    about: dict[str, Any]


class Store:
    """The folder that results are kept in."""

    def __init__(self, folder: Path, data: Data) -> None:
        self.folder, self.data = folder, data

    def path(self, job: Job, name: str) -> Path:
        """The file of a job and a tested set."""
        return self.folder / f"{job._replace(set=name)}.npz"

    def has(self, job: Job) -> bool:
        """Whether there is nothing left to do."""
        return all(self.path(job, name).exists() for name in job.tests)

    def write(self, job: Job, name: str, found: Stored) -> None:
        """Keep the orders, and the tables if there are some."""
        arrays = {"orders": _joined([one.order for one in found.orders], np.int16)}
        pieces = [piece for some in found.tables for piece in some]
        if pieces:
            arrays["pieces"] = np.array([len(piece.inverted) for piece in pieces], np.int16)
            upper = [piece.inverted[np.triu_indices(len(piece.inverted), 1)] for piece in pieces]
            arrays["inverted"] = _rounded(upper)
            arrays["following"] = _rounded([piece.following for piece in pieces])
        about = {**found.about, "sentences": self.data.fingerprint(name, job.part)}
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
        self.folder.mkdir(parents=True, exist_ok=True)
        with open_output(str(self.path(job, name))) as out:
            np.savez_compressed(out, **arrays)

    def read(self, job: Job, name: str, *, tables: bool = False) -> Stored:
        """What was kept."""
        path = self.path(job, name)
        tested = self.data.tested(name).sources
        lengths = [len(tested[s]) for s in self.data.places(name, job.part)]
        with np.load(path) as arrays:
            about = json.loads(arrays["about"].tobytes())
            if about["sentences"] != self.data.fingerprint(name, job.part):
                raise SystemExit(f"{path} was made of other sentences: remove it, or take another folder")
            orders = [Permutation(row.tolist()) for row in _split(arrays["orders"], lengths)]
            read = _read_tables(arrays, lengths) if tables else []
        return Stored(orders, read, about)


def _joined(rows: Sequence[Any], kind: Any) -> Any:
    return np.concatenate([np.empty(0, kind), *(np.ravel(row).astype(kind) for row in rows)])


def _rounded(rows: Sequence[Any]) -> Any:
    return (_joined(rows, np.float32) * STEP).round().clip(0, STEP).astype(np.float16) / np.float16(STEP)


def _split(flat: Any, lengths: Sequence[int]) -> list[Any]:
    assert len(flat) == sum(lengths)
    return np.split(flat, np.cumsum(lengths)[:-1]) if lengths else []


def _read_tables(arrays: Any, lengths: Sequence[int]) -> Tables:
    sizes = arrays["pieces"].tolist()
    above = _split(arrays["inverted"].astype(np.float64), [n * (n - 1) // 2 for n in sizes])
    steps = _split(arrays["following"].astype(np.float64), [(n + 1) ** 2 for n in sizes])
    pieces = []
    for n, upper, following in zip(sizes, above, steps, strict=True):
        inverted = np.zeros((n, n))
        inverted[np.triu_indices(n, 1)] = upper
        pieces.append(Expectations(0.0, inverted, following.reshape(n + 1, n + 1)))
    left, made = iter(pieces), []
    for length in lengths:
        some = [next(left)]
        while sum(len(piece.inverted) for piece in some) < length:
            some.append(next(left))
        made.append(some)
    return made


# From tables to orders


def averaged(several: Sequence[Tables]) -> Tables:
    """The means of the tables of several systems."""
    return [
        [
            Expectations(
                0.0, np.mean([p.inverted for p in same], axis=0), np.mean([p.following for p in same], axis=0)
            )
            for same in zip(*sentence, strict=True)
        ]
        for sentence in zip(*several, strict=True)
    ]


def decoded(tables: Tables, settings: ForestCRF | None = None) -> list[Permutation]:
    """The best order of each sentence, as a forest CRF with default settings finds it."""
    how = settings or ForestCRF()
    made = []
    for sentence in tables:
        order: list[int] = []
        for piece in sentence:
            found = ranked(piece, 1, adjacency=how.adjacency, moves=how.moves)
            ((_, best), *_) = cautious(found, piece, adjacency=how.adjacency, caution=how.caution)
            order += [len(order) + i for i in best]
        made.append(Permutation(order))
    return made


# Training


def perform(job: Job, store: Store, *, threads: int = 1) -> float:
    """Train, order what is tested, and keep it; returns the seconds of training."""
    data, system = store.data, SYSTEMS[job.system]
    began = time.perf_counter()
    if not system.is_crf:
        (name,) = job.tests
        test = data.tested(name).chosen(data.places(name, job.part)).sources
        orders = _plain_orders(system, data.learned_from(name, job.part), test, name, job.seed, threads)
        took = time.perf_counter() - began
        store.write(job, name, Stored(orders, [], {"seconds": round(took, 1)}))
        return took
    fitted = _fitted(job, data, threads)
    took = time.perf_counter() - began
    for name in job.tests:
        own = fitted.resettled(language=SETS[name].language) if system.several else fitted
        tables = own.expectations(data.tested(name).chosen(data.places(name, job.part)).sources)
        about = {"seconds": round(took, 1), "settings": system.signature, "caution": own.caution}
        store.write(job, name, Stored(decoded(tables, own), tables, about))
    return took


def _plain_orders(
    system: System, train: Corpus, test: Sequence[Source], name: str, seed: int, threads: int
) -> list[Permutation]:
    """Orders of what is no forest CRF."""
    trees = [one.parse for one in test if one.parse]
    if system.kind == "rules":
        return Matcher(rule_set(SETS[name].rules)).reorder(trees)
    if system.kind == "learned":
        taught = [one.parse for one in train.sources if one.parse]
        made = learn_rules(taught, [linked_ranks(links) for links in train.alignments])
        return Matcher(made.rules).reorder(trees)
    grammar = ReorderingGrammar().fit(*train, training=Training(seed=seed, threads=threads))
    return grammar.reorder(test)


def _fitted(job: Job, data: Data, threads: int) -> ForestCRF:
    system = SYSTEMS[job.system]
    made = system.untrained
    if system.several:
        manual, automatic = data.several(job.part)
        return made.fit(*manual, training=Training(seed=job.seed, threads=threads, automatic=(*automatic,)))
    training = Training(
        seed=job.seed,
        threads=threads,
        raw=data.raw(job.set) if system.raw else (),
        automatic=(*data.automatic(job.set, system.kind),) if system.automatic else None,
    )
    return made.fit(*data.learned_from(job.set, job.part), training=training)
