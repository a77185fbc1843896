"""Jobs: a system learns from one part of a set with one seed, and its orders are stored.

A store is a folder with one file per job and tested set. Files are written atomically, so that a run can be
interrupted at any time and continued later or elsewhere. For forest CRFs, a file also has the tables of
expectations that the orders are decoded from, so that systems can be averaged afterwards.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from experiments.crf.directions import DIVIDED
from experiments.crf.sets import SETS, TREEBANK, Data
from experiments.parallel import Corpus, predict_orders, target_language
from wordorder.core.permutation import Permutation
from wordorder.io.files import open_output
from wordorder.preorder import RunOptions, Source, TrainingData, as_sources
from wordorder.preorder.crf import FeatureCRF, ForestCRF, NeuralCRF
from wordorder.preorder.crf.decoding import Expectations, apply_min_gain, averaged, ranked_orders
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.parses import trees_of
from wordorder.preorder.rules import rule_set
from wordorder.preorder.rules.counting import linked_ranks
from wordorder.preorder.rules.learning import learn_rules
from wordorder.preorder.rules.matching import RuleMatcher

STEP = 2048  # probabilities are stored as multiples of 1/2048, which fit into 16 bits
FEWER: dict[str, Any] = {
    "pretraining_epochs": 3,
    "automatic_epochs": 3,
    "epochs": 15,
}  # passes over large text
SYNTAX: dict[str, Any] = {"tree_epochs": 4, "dropout": 0.35, "predict_linked": True}
Tables = list[list[Expectations]]  # for each sentence, those of its pieces


@dataclass(frozen=True)
class System:
    """A preorderer of the experiment: a row of its tables."""

    title: str
    kind: str  # rules, learned, grammar, features, neural, shipped
    raw: bool = False
    automatic: bool = False
    multilingual: bool = False  # learns all languages at once, from large text
    careful: bool = False  # learns when not to reorder
    parsed: bool = False  # uses trees that the shipped parser finds, not gold ones
    syntax: bool = False  # learns to predict trees beside orders, and needs none afterwards

    @property
    def is_crf(self) -> bool:
        """Whether it is a forest CRF, with tables to store."""
        return self.kind in ("features", "neural")

    @property
    def untrained(self) -> ForestCRF:
        """The untrained forest CRF."""
        if self.kind == "features":
            return FeatureCRF(tune_min_gain=self.careful, labels="deprel" if self.parsed else "none")
        changes = {**(FEWER if self.multilingual else {}), **(SYNTAX if self.syntax else {})}
        return NeuralCRF(tune_min_gain=self.careful, **changes)

    @property
    def signature(self) -> str:
        """The settings of a forest CRF; empty for other systems."""
        return self.untrained.signature if self.is_crf else ""

    def runs_on(self, name: str) -> bool:
        """Whether a set has what the system needs."""
        test_set = SETS[name]
        if self.careful:
            return test_set.monotone
        if self.multilingual:
            return name in ("atis", *(f"pud-{language}" for language in TREEBANK))
        gold = self.parsed or test_set.parsed
        available = {"rules": bool(test_set.rules) and gold, "learned": gold}.get(self.kind, True)
        return available and not (self.automatic and not test_set.automatic)

    def seeds(self, seeds: Sequence[int]) -> Sequence[int]:
        """Return the seeds to run; rules and shipped models run once."""
        return seeds if self.kind not in ("rules", "learned", "shipped") else (0,)


SYSTEMS = {
    "rules": System("hand-written rules, gold trees", "rules"),
    "learned": System("learned rules, gold trees", "learned"),
    "rules-parsed": System("hand-written rules", "rules", parsed=True),
    "learned-parsed": System("learned rules", "learned", parsed=True),
    "grammar": System("Reordering Grammar", "grammar"),
    "features": System("feature CRF", "features"),
    "features-raw": System("feature CRF, raw text", "features", raw=True),
    "features-auto": System("feature CRF, raw text, automatic links", "features", raw=True, automatic=True),
    "features-labels": System("feature CRF, labels", "features", parsed=True),
    "features-labels-raw": System("feature CRF, labels, raw text", "features", raw=True, parsed=True),
    "features-careful": System("feature CRF, careful", "features", careful=True),
    "network": System("neural CRF", "neural"),
    "network-raw": System("neural CRF, raw text", "neural", raw=True),
    "network-auto": System("neural CRF, raw text, automatic links", "neural", raw=True, automatic=True),
    "network-careful": System("neural CRF, careful", "neural", careful=True),
    "network-languages": System("neural CRF, five languages at once", "neural", multilingual=True),
    "network-syntax": System("neural CRF, five languages, trees", "neural", multilingual=True, syntax=True),
    "many": System("en-multi-crf", "shipped", parsed=True),
    "average": System("en-multi-average", "shipped", parsed=True),
}


class Job(NamedTuple):
    """One training of a system."""

    system: str
    set: str
    part: int
    seed: int

    def __str__(self) -> str:
        return ".".join(map(str, self))

    @classmethod
    def parse(cls, text: str) -> Job:
        """Read a job as ``str`` writes it."""
        system, name, part, seed = text.split(".")
        return cls(system, name, int(part), int(seed))

    @property
    def tests(self) -> list[str]:
        """The tested sets: several if one training serves them all."""
        if not SYSTEMS[self.system].multilingual:
            return [self.set]
        return [f"pud-{language}" for language in TREEBANK] + (["atis"] if self.part == 0 else [])


def jobs(sets: Sequence[str], systems: Sequence[str], seeds: Sequence[int]) -> Iterator[Job]:
    """List all jobs, those of the first seed first."""
    for seed in (0, *seeds):
        for name in sets:
            for system in systems:
                row = SYSTEMS[system]
                if seed not in row.seeds(seeds) or not row.runs_on(name):
                    continue
                # One training serves the whole treebank; it is listed with the first language.
                if not row.multilingual or name == f"pud-{TREEBANK[0]}":
                    yield from (Job(system, name, part, seed) for part in range(SETS[name].parts))


class JobResult(NamedTuple):
    """The orders of one tested set, and the tables that they were decoded from."""

    orders: list[Permutation]
    tables: Tables
    about: dict[str, Any]


class Store:
    """A folder of results."""

    def __init__(self, folder: Path, data: Data, models: Path | None = None) -> None:
        self.folder, self.data = folder, data
        self.models = models  # the folder of experiments.shipped_models, for systems that are shipped

    def path(self, job: Job, name: str) -> Path:
        """Return the file of a job and a tested set."""
        return self.folder / f"{job._replace(set=name)}.npz"

    def has(self, job: Job) -> bool:
        """Return whether all results of a job are stored."""
        return all(self.path(job, name).exists() for name in job.tests)

    def write(self, job: Job, name: str, result: JobResult) -> None:
        """Store the orders, and the tables if there are any."""
        arrays = {"orders": _joined([permutation.order for permutation in result.orders], np.int16)}
        pieces = [piece for sentence in result.tables for piece in sentence]
        if pieces:
            arrays["pieces"] = np.array([len(piece.inverted) for piece in pieces], np.int16)
            upper = [piece.inverted[np.triu_indices(len(piece.inverted), 1)] for piece in pieces]
            arrays["inverted"] = _rounded(upper)
            arrays["following"] = _rounded([piece.following for piece in pieces])
        about = {**result.about, "sentences": self.data.checksum(name, job.part)}
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
        self.folder.mkdir(parents=True, exist_ok=True)
        with open_output(str(self.path(job, name))) as out:
            np.savez_compressed(out, **arrays)  # type: ignore[arg-type]

    def read(self, job: Job, name: str, *, tables: bool = False) -> JobResult:
        """Read the stored results of a job for a tested set."""
        path = self.path(job, name)
        lengths = [len(source) for source in self.data.tested_part(name, job.part).sources]
        with np.load(path) as arrays:
            about = json.loads(arrays["about"].tobytes())
            if about["sentences"] != self.data.checksum(name, job.part):
                raise SystemExit(f"{path} has results of other sentences: remove it, or use another folder")
            orders = [Permutation.from_order(row.tolist()) for row in _split(arrays["orders"], lengths)]
            expectations = _read_tables(arrays, lengths) if tables else []
        return JobResult(orders, expectations, about)


def _joined(rows: Sequence[NDArray[Any]], kind: DTypeLike) -> NDArray[Any]:
    return np.concatenate([np.empty(0, kind), *(np.ravel(row).astype(kind) for row in rows)])


def _rounded(rows: Sequence[NDArray[Any]]) -> NDArray[np.float16]:
    return (_joined(rows, np.float32) * STEP).round().clip(0, STEP).astype(np.float16) / np.float16(STEP)


def _split(flat: NDArray[Any], lengths: Sequence[int]) -> list[NDArray[Any]]:
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
    remaining, tables = iter(pieces), []
    for length in lengths:
        sentence = [next(remaining)]
        while sum(len(piece.inverted) for piece in sentence) < length:
            sentence.append(next(remaining))
        tables.append(sentence)
    return tables


# ----- from tables to orders


def average_tables(tables: Sequence[Tables]) -> Tables:
    """Average the tables of several systems."""
    weights = [1.0] * len(tables)
    return [
        [averaged(same, weights) for same in zip(*sentence, strict=True)]
        for sentence in zip(*tables, strict=True)
    ]


def decode(tables: Tables, settings: ForestCRF | None = None) -> list[Permutation]:
    """Find the best order of each sentence, as a forest CRF with (default) settings does."""
    crf = settings or FeatureCRF()
    orders = []
    for sentence in tables:
        order: list[int] = []
        for piece in sentence:
            candidates = ranked_orders(piece, 1, adjacency=crf.adjacency, moves=crf.moves)
            ((_, best), *_) = apply_min_gain(
                candidates, piece, adjacency=crf.adjacency, min_gain=crf.min_gain
            )
            order += [len(order) + i for i in best]
        orders.append(Permutation.from_order(order))
    return orders


# ----- training


def run_job(job: Job, store: Store, *, threads: int = 1) -> float:
    """Train, reorder the tested sentences, and store the results; returns the seconds of training."""
    data, system = store.data, SYSTEMS[job.system]
    began = time.perf_counter()
    if not system.is_crf:
        (name,) = job.tests
        test, train = data.tested_part(name, job.part), data.training(name, job.part)
        if system.parsed:
            test, train = without_trees(test), without_trees(train)
        if system.kind == "shipped":
            orders = _shipped_orders(job, store, test.sources)
        else:
            orders = _other_orders(system, train, test.sources, name, job.seed, threads)
        took = time.perf_counter() - began
        store.write(job, name, JobResult(orders, [], {"seconds": round(took, 1)}))
        return took
    fitted = _fitted(job, data, threads)
    took = time.perf_counter() - began
    for name in job.tests:
        own = fitted.with_settings(language=SETS[name].language) if system.multilingual else fitted
        test = data.tested_part(name, job.part)
        tables = own.expectations((without_trees(test) if system.parsed else test).sources)
        about = {"seconds": round(took, 1), "settings": system.signature, "min_gain": own.min_gain}
        store.write(job, name, JobResult(decode(tables, own), tables, about))
    return took


def _shipped_orders(job: Job, store: Store, test: Sequence[Source]) -> list[Permutation]:
    """Reorder with a model that has not learned from the part, of which there is one for each part."""
    from experiments.shipped_models.pages import Models

    if store.models is None:
        raise SystemExit(f"{job}: --models is missing")
    name = SETS[job.set].test
    models = Models(store.models).systems(job.part if name in DIVIDED else -1)
    sources = [replace(source, target=target_language(name)) for source in test]
    return predict_orders(models[SYSTEMS[job.system].title], sources)


def _other_orders(
    system: System, train: Corpus, test: Sequence[Source], name: str, seed: int, threads: int
) -> list[Permutation]:
    """Reorder with a system that is not a forest CRF."""
    if system.kind == "rules":
        return RuleMatcher(rule_set(SETS[name].rules)).reorder(trees_of(test))
    if system.kind == "learned":
        learned = learn_rules(trees_of(train.sources), [linked_ranks(links) for links in train.alignments])
        return RuleMatcher(learned.rules).reorder(trees_of(test))
    grammar = ReorderingGrammar().fit(TrainingData(*train), RunOptions(seed=seed, threads=threads))
    return predict_orders(grammar, test)


def without_trees(corpus: Corpus) -> Corpus:
    """Return the same sentences without their gold trees, so that they are parsed."""
    return corpus._replace(sources=[replace(source, parse=None) for source in corpus.sources])


def _fitted(job: Job, data: Data, threads: int) -> ForestCRF:
    system = SYSTEMS[job.system]
    untrained = system.untrained
    run = RunOptions(seed=job.seed, threads=threads)
    if system.multilingual:
        manual, automatic = data.multilingual(job.part)
        return untrained.fit(TrainingData(*without_trees(manual), automatic=automatic), run)
    train = data.training(job.set, job.part)
    text = TrainingData(
        *(without_trees(train) if system.parsed else train),
        raw=as_sources(data.raw(job.set)) if system.raw else (),
        automatic=data.automatic(job.set, system.kind) if system.automatic else None,
    )
    return untrained.fit(text, run)
