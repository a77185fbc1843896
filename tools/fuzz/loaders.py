"""Targets that load models and kept results, and use them."""

from __future__ import annotations

import os
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from tools.fuzz.structure import Files
from tools.fuzz.target import Target, only_file, read_files
from wordorder.align.aligner_files import load_model as load_aligner
from wordorder.align.aligner_files import save_model as save_aligner
from wordorder.align.bilingual import train_aligner
from wordorder.core.alignment import Alignment
from wordorder.data import package_file
from wordorder.errors import WordOrderError
from wordorder.io.array_file import load_arrays, save_arrays
from wordorder.io.model_install import check_model, install_models
from wordorder.judge.score_cache import load_statistics
from wordorder.learn.features import MARK, ExampleStore, digest
from wordorder.learn.fitting import FittedWeights
from wordorder.metrics.beer.beer20_model import read_beer20
from wordorder.metrics.beer.trained_model import load_model as load_beer
from wordorder.neural.words import SPECIAL, InputVocabulary, pack_words
from wordorder.parse.examples import ParserLabels
from wordorder.parse.models import load_parser, save_parser
from wordorder.parse.network import TrainedParser
from wordorder.parse.shape import ParserShape
from wordorder.preorder.average import Average
from wordorder.preorder.base import Arrays, Preorderer
from wordorder.preorder.checkpoints import CHECKPOINT, load_checkpoint, save_checkpoint
from wordorder.preorder.crf.feature_crf import FeatureCRF
from wordorder.preorder.crf.network import NetworkShape
from wordorder.preorder.crf.neural_crf import NeuralCRF
from wordorder.preorder.grammar.preorderer import ReorderingGrammar
from wordorder.preorder.models import about_model, load_preorderer, model_title
from wordorder.preorder.source import as_sources
from wordorder.preorder.training import TrainingData

SENTENCES = ("a b c", "he has seen the dog .", "x", "w0 w1 w2 a")
HYPOTHESES, REFERENCES = ["the cat sat .", "", "a"], ["the cat was here .", "a b", "a"]
KEY = "0123"  # of a checkpoint


def loaders() -> list[Target]:
    """Return the targets."""
    return [
        Target("aligner", _aligner, _aligners),
        Target("grammar", _preorderer, lambda: _saved(_grammar)),
        Target("grammar_text", _grammar_text, _written_grammar),
        Target("feature_crf", _preorderer, lambda: _saved(_feature_crf)),
        Target("neural_crf", _preorderer, lambda: [*_saved(_network), *_saved(_networks)]),
        Target("average", _preorderer, _averages),
        Target("parser", _parser, _parsers),
        Target("beer_trained", _beer, _shipped_beer),
        Target("beer_released", lambda case: read_beer20(case).scores(HYPOTHESES, REFERENCES)),
        Target("checkpoint", _checkpoint, _checkpoints),
        Target("array_file", _arrays, _array_files),
        Target("kept_examples", _kept, _kept_examples),
        Target("model_archive", _install, _archives),
    ]


def _written(write: Callable[[str], object]) -> Files:
    """Return what a function writes into a folder, or to the path of a file."""
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/it")
        place = Path(folder) / "it"
        return read_files(place) if place.is_dir() else {"it": place.read_bytes()}


# Aligners


def _aligner(case: Path) -> None:
    load_aligner(str(case)).align(["a b", "b x"], ["c d", "d d"], threads=1)


def _aligners() -> list[Files]:
    model = train_aligner(["a b", "b a", "a"], ["c d", "d c", "c"], threads=1)
    return [_written(lambda place: save_aligner(model, place))]


# Preorderers


def _preorderer(case: Path) -> None:
    """Load a model, and let it reorder some sentences."""
    about_model(str(case))
    model_title(str(case))
    model = load_preorderer(str(case))
    sources = as_sources([sentence.split() for sentence in SENTENCES])
    with suppress(WordOrderError):  # about a sentence, such as one without its target language
        model.reorder_batch(sources)
        model.nbest_batch(sources, 2)
        model.precedence_batch(sources)


def _saved(make: Callable[[], Preorderer]) -> list[Files]:
    return [_written(lambda place: make().save(place))]


def _data() -> TrainingData:
    """Return sentences whose first two words change places."""
    sources = as_sources([line.split() for line in ("a b c", "b a c d", "a c", "d a b b c") * 3])
    links = [[(0, 1), (1, 0), *((i, i) for i in range(2, len(source)))] for source in sources]
    alignments = [Alignment(len(s), len(s), some) for s, some in zip(sources, links, strict=True)]
    return TrainingData(sources, alignments)


@cache
def _grammar() -> ReorderingGrammar:
    return ReorderingGrammar(iterations=2, grammars=2).fit(_data())


def _feature_crf() -> FeatureCRF:
    return FeatureCRF(hash_bits=10, epochs=2).fit(_data())


def _network(languages: tuple[str, ...] = ()) -> NeuralCRF:
    """Return a network with random weights."""
    size = {
        "words": 7, "buckets": 32, "languages": max(len(languages), 1), "word_size": 4, "piece_size": 3,
        "language_size": 2, "units": 5, "layers": 2, "span_size": 6, "edge_size": 4, "pair_size": 3,
    }  # fmt: skip
    rng = np.random.default_rng(1)
    shapes = NetworkShape(**size).arrays()
    arrays: Arrays = {name: rng.normal(size=shape).astype(np.float16) for name, shape in shapes.items()}
    arrays["words"] = pack_words([*SPECIAL, "w0", "w1", "w2", "a"])
    facts = {"seed": 1, "network": {"shape": size, "languages": list(languages), "labels": []}}
    return NeuralCRF(language=languages[0] if languages else "none").restored(arrays, facts)


def _networks() -> NeuralCRF:
    return _network(("de", "ja"))


def _averages() -> list[Files]:
    with tempfile.TemporaryDirectory() as folder:
        _feature_crf().save(f"{folder}/crf")
        _networks().save(f"{folder}/networks")
        made = Average(members=f"2*{folder}/crf+{folder}/networks@ja/de+rules:head-final@ja", language="ja")
        return [_written(made.save)]


def _grammar_text(case: Path) -> None:
    model = ReorderingGrammar.from_text(only_file(case))
    model.reorder_batch(as_sources([sentence.split() for sentence in SENTENCES]))


def _written_grammar() -> list[Files]:
    return [_written(lambda place: _grammar().to_text(place, grammar=0))]


# Parsers


def _parser(case: Path) -> None:
    parser = load_parser(str(case))
    sentences = [sentence.split() for sentence in SENTENCES]
    parser.parse_batch(sentences)
    replace(parser, probabilities=True, split=False).nbest_batch(sentences, 3)


def _parsers() -> list[Files]:
    """Return a parser with random weights."""
    labels = ParserLabels(("A", "B"), ("x",), ("dep", "root"))
    shape = ParserShape(
        words=7, buckets=32, upos=2, xpos=1, relations=2, word_size=4, piece_size=3, case_size=2, units=5,
        layers=2, arc_size=4, relation_size=3,
    )  # fmt: skip
    rng = np.random.default_rng(1)
    weights = {name: rng.normal(size=size).astype(np.float32) for name, size in shape.arrays().items()}
    words = InputVocabulary((*SPECIAL, "w0", "w1", "w2", "a"), shape.buckets)
    made = TrainedParser(weights, words, shape, labels)
    return [_written(lambda place: save_parser(made, place, trained={"seed": 1}, card="# parser"))]


# BEER


def _beer(case: Path) -> None:
    for language in ("en", "none"):
        load_beer(case, language=language).scores(HYPOTHESES, REFERENCES)


def _shipped_beer() -> list[Files]:
    return [read_files(package_file(f"beer/{version}")) for version in ("1.1", "3.0", "best", "4.0")]


# What is kept between runs


def _checkpoint(case: Path) -> None:
    load_checkpoint(str(case), KEY, ["weights"])


def _checkpoints() -> list[Files]:
    arrays = {"weights": np.arange(6.0).reshape(2, 3), "sums": np.zeros(2, np.float32)}
    return [_written(lambda place: save_checkpoint(place, KEY, arrays, [1, {"loss": 0.5}], name=CHECKPOINT))]


def _array_file(**arrays: object) -> Files:
    return {"kept.arrays": _written(lambda place: save_arrays(Path(place), **arrays))["it"]}


def _arrays(case: Path) -> None:
    load_arrays(Path(only_file(case)))
    load_statistics(Path(only_file(case)), 3)


def _array_files() -> list[Files]:
    return [_array_file(rows=np.eye(3)), _array_file(rows=np.zeros((3, 2)), names=np.array(["a", "b"]))]


def _kept(case: Path) -> None:
    """Continue a training run from what it kept: a damaged file counts as missing."""
    file = Path(only_file(case))
    (case / MARK).touch()
    file.rename(case / f"{digest('', 'weights')}.npz")
    store = ExampleStore(folder=case)
    fitted = store.kept("weights", 2, lambda: FittedWeights(np.zeros(2), 0.0))
    fitted.margins(np.ones((3, 2), np.float32))


def _kept_examples() -> list[Files]:
    return [_array_file(weights=np.array([0.5, -1.0]), bias=np.array(0.25))]


# Archives of models


def _install(case: Path) -> None:
    before = os.environ.get("XDG_DATA_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        try:
            for model in install_models(only_file(case)):
                check_model(model)
        finally:
            os.environ.pop("XDG_DATA_HOME")
            if before is not None:
                os.environ["XDG_DATA_HOME"] = before


def _archives() -> list[Files]:
    models = package_file("beer")

    def zipped(place: str) -> None:
        with zipfile.ZipFile(place, "w") as archive:
            for file in (models / "1.1").iterdir():
                archive.write(file, f"beer/one/{file.name}")

    def packed(place: str) -> None:
        with tarfile.open(place, "w") as archive:
            archive.add(models / "1.1", "two")

    return [_written(zipped), _written(packed)]
