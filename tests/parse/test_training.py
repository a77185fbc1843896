"""Training the parser: the network in torch is the applied one, and learns; skipped without torch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from wordorder.io.sentence import Row, Sentence  # noqa: E402
from wordorder.neural.device import training_device  # noqa: E402
from wordorder.parse.network import TrainedParser  # noqa: E402
from wordorder.parse.recipe import ParserRecipe  # noqa: E402
from wordorder.parse.training import ParserTrainer  # noqa: E402


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Layers are too small for more, which would only wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


SMALL = ParserRecipe(
    word_size=12, piece_size=8, units=16, layers=2, arc_size=12, relation_size=8, buckets=64, batch_words=60,
    epochs=20, pretraining_epochs=1, learning_rate=0.02, dropout=0.1, average=0.9,
)  # fmt: skip


def treebank(count: int, seed: int) -> list[Sentence]:
    """Noun phrases around a verb, with one of two word orders."""
    rng = np.random.default_rng(seed)
    trees = []
    for _ in range(count):
        rows: list[Row] = []
        verb = int(rng.integers(0, 2)) * 2 + 1  # "ran the cat", "the cat ran"
        phrase = [("the", "DET", "det"), (str(rng.choice(["cat", "dog", "Cow"])), "NOUN", "nsubj")]
        words = [*phrase, ("ran", "VERB", "root")] if verb == 3 else [("ran", "VERB", "root"), *phrase]
        noun = verb - 1 if verb == 3 else 3
        for place, (form, upos, deprel) in enumerate(words, start=1):
            head = {"det": noun, "nsubj": verb, "root": 0}[deprel]
            rows.append(Row(str(place), form, upos=upos, xpos=upos[:2], head=str(head), deprel=deprel))
        trees.append(Sentence(rows))
    return trees


@pytest.fixture(scope="module")
def trained() -> tuple[ParserTrainer, Any, TrainedParser, list[dict[str, Any]]]:
    records: list[dict[str, Any]] = []
    raw = [tree.forms for tree in treebank(80, 3)]
    trainer = ParserTrainer(SMALL, treebank(40, 1), silver=treebank(20, 2), raw=raw, log=records.append)
    model = trainer.train(1)
    return trainer, model, trainer.trained(model), records


def test_it_learns(trained: tuple[Any, Any, TrainedParser, list[dict[str, Any]]]) -> None:
    *_, parser, records = trained
    assert {record["round"] for record in records} == {"hidden words", "silver trees", "treebank"}
    last = [record for record in records if record["round"] == "treebank"]
    assert last[-1]["loss"] < 0.2 < last[0]["loss"] + 1 and last[-1]["of"] == 20
    for gold in treebank(30, 4):
        found = parser.parse(gold.forms)
        assert found.heads == gold.heads
        assert [row.deprel for row in found.words] == [row.deprel for row in gold.words]
        assert [(row.upos, row.xpos) for row in found.words] == [(row.upos, row.xpos) for row in gold.words]


def test_the_applied_network_is_that_of_torch(trained: tuple[ParserTrainer, Any, TrainedParser, Any]) -> None:
    trainer, model, parser, _ = trained
    sentences = [["the", "cat", "ran"], ["ran", "the", "unseen", "cat", "dog"], ["Cow"]]
    from wordorder.parse.examples import text_examples

    examples = sorted(text_examples(sentences, trainer.types), key=lambda each: -each.words)
    ordered = sorted(sentences, key=lambda words: -len(words))
    batch, _ = trainer.batch(examples)
    with torch.no_grad():
        scores = model(batch)
    for s, (words, found) in enumerate(zip(ordered, parser._scores(ordered), strict=True)):
        n = len(words)
        for name in ("upos", "xpos"):
            expected = getattr(scores, name)[s, :n].softmax(-1).numpy()
            np.testing.assert_allclose(getattr(found, name), expected, atol=1e-5)
        expected = scores.heads[s, :n, : n + 1].softmax(-1).numpy()
        np.testing.assert_allclose(found.heads, expected, atol=1e-5)
        heads = np.array([(w + 2) % (n + 1) for w in range(n)], dtype=np.int32)
        padded = torch.zeros((len(ordered), len(ordered[0])), dtype=torch.int64)
        padded[s, :n] = torch.from_numpy(heads.astype(np.int64))
        with torch.no_grad():
            raw = model.relations(scores.states, padded)[s, :n]
        raw[torch.from_numpy(heads > 0), parser.labels.relations.index("root")] = -torch.inf
        np.testing.assert_allclose(parser._relations(found, heads), raw.softmax(-1).numpy(), atol=1e-5)


def test_training_goes_on_from_a_parser(trained: tuple[Any, Any, TrainedParser, Any]) -> None:
    parser = trained[2].rounded()
    records: list[dict[str, Any]] = []
    still = ParserTrainer(replace(SMALL, epochs=0), treebank(5, 5), start=parser, log=records.append)
    same = still.trained(still.train(1))
    for name, weights in parser.weights.items():
        np.testing.assert_array_equal(same.weights[name], weights)
    assert same.vocabulary == parser.vocabulary and not records
    # Labels that the parser does not know are not learned, and do no harm.
    odd = [Sentence([row._replace(xpos="?") for row in tree.words]) for tree in treebank(10, 6)]
    more = ParserTrainer(replace(SMALL, epochs=1), odd, start=parser, log=records.append)
    changed = more.trained(more.train(1))
    assert changed.labels == parser.labels and np.isfinite(records[-1]["loss"])
    assert any((changed.weights[name] != parser.weights[name]).any() for name in parser.weights)


def test_the_same_seed_gives_the_same_parser() -> None:
    recipe = replace(SMALL, epochs=2)
    first, second, other = (
        (made := ParserTrainer(recipe, treebank(12, 1))).trained(made.train(seed)) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.weights["arc.weight"], second.weights["arc.weight"])
    assert (first.weights["arc.weight"] != other.weights["arc.weight"]).any()


def test_devices() -> None:
    from wordorder.errors import BadSetting

    assert training_device("cpu") == "cpu" and training_device("auto") in ("cpu", "cuda")
    with pytest.raises(BadSetting, match="device is 'magic'"):
        training_device("magic")
