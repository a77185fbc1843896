"""Networks that learn dependency trees and linked words beside orders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from wordorder.core.alignment import Alignment  # noqa: E402
from wordorder.io.sentence import Row, Sentence  # noqa: E402
from wordorder.neural.words import pack_words  # noqa: E402
from wordorder.preorder import RunOptions, Source, TrainingData  # noqa: E402
from wordorder.preorder.crf import NeuralCRF, objectives  # noqa: E402
from wordorder.preorder.crf.examples import TrainingText  # noqa: E402
from wordorder.preorder.crf.inside_cpp import cpp_backend  # noqa: E402
from wordorder.preorder.crf.trainer import Trainer  # noqa: E402
from wordorder.preorder.crf.training_loop import run_stage  # noqa: E402

SMALL = NeuralCRF(
    units=8, epochs=3, automatic_epochs=0, pretraining_epochs=0, tree_epochs=3, predict_linked=True,
    tune_min_gain=False, dropout=0.0, word_dropout=0.0,
)  # fmt: skip


def tree(words: list[str]) -> Sentence:
    """A chain: every word depends on the next, and the last is the root."""
    n = len(words)
    return Sentence(
        [
            Row(str(k + 1), word, "_", "NOUN" if k % 2 else "DET", "X", "_", str(k + 2 if k < n - 1 else 0),
                "dep" if k < n - 1 else "root")
            for k, word in enumerate(words)
        ]
    )  # fmt: skip


def data(count: int = 12) -> TrainingData:
    rng = np.random.default_rng(0)
    sources, alignments = [], []
    for _ in range(count):
        n = int(rng.integers(3, 7))
        words = [f"w{k}" for k in rng.integers(0, 5, n)]
        sources.append(Source(tuple(words), parse=tree(words)))
        # The first word has no counterpart; the others come in reverse order.
        alignments.append(Alignment(n, n, [(i, n - 1 - i) for i in range(1, n)]))
    return TrainingData(sources, alignments)


def trainer(settings: NeuralCRF = SMALL) -> Trainer:
    given = data()
    return Trainer(settings, TrainingText(settings, given), given, RunOptions(seed=1, device="cpu"))


def test_trees_are_learned() -> None:
    made = trainer(replace(SMALL, learning_rate=0.01, tree_epochs=40))
    model = made.new_network(1)
    examples = made.text.unlinked()
    batch = made.batcher.batch(examples, list(range(len(examples))))

    def loss() -> float:
        with torch.no_grad():
            return float((objectives.tree_objective(made.tree_predictor(model), batch) / batch.sizes).mean())

    before = loss()
    run_stage(model, made.batcher, made.pretraining()[0], seed=1)
    assert loss() < 0.3 * before


def test_linked_words_are_learned() -> None:
    made = trainer(replace(SMALL, epochs=120, learning_rate=0.01))
    model = made.train()
    examples = made.text.linked(made.text.manual, 2.0, manual=True)
    batch = made.batcher.batch(examples, list(range(len(examples))))
    with torch.no_grad():
        odds = model.linked_scores(model.read(batch))
    right = (odds > 0) == (batch.linked > 0)
    assert right[batch.linked >= 0].float().mean() > 0.95


def test_both_backends_learn_the_same_from_links_and_trees() -> None:
    made = trainer()
    model = made.new_network(3).eval()
    predictor = made.tree_predictor(model).eval()
    examples = made.text.linked(made.text.manual, 2.0, manual=True)
    losses = []
    for backend in (objectives.TORCH, cpp_backend(canonical=False, threads=1)):
        other = trainer()
        other.backend, other.batcher.edges = backend, backend.edges
        batch = other.batcher.batch(examples, list(range(len(examples))))
        network = backend.network(made.shape).eval()
        network.load_state_dict(model.state_dict())
        predictor.model = network
        losses.append(objectives.link_objective(backend, trees=0.5)(predictor, batch).detach().numpy())
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-4)


def test_training_with_trees_resumes_to_the_same_model(tmp_path: Path) -> None:
    given = data()
    whole = SMALL.fit(given, RunOptions(seed=2, device="cpu", checkpoint=str(tmp_path / "a")))

    class Stopped(Exception):
        pass

    def stop(record: dict[str, object]) -> None:
        if record["round"] == "manual" and record["iteration"] == 2:
            raise Stopped

    folder = str(tmp_path / "b")
    with pytest.raises(Stopped):
        SMALL.fit(given, RunOptions(seed=2, device="cpu", checkpoint=folder, log=stop))
    again = SMALL.fit(given, RunOptions(seed=2, device="cpu", checkpoint=folder, resume=True))
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(array, again.arrays()[name])


def test_a_student_learns_trees_and_linked_words() -> None:
    student = replace(SMALL, teachers=2, automatic_epochs=2)
    fitted = student.fit(data(), RunOptions(seed=1, device="cpu"))
    assert fitted.arrays()["linked.weight"].shape == (1, 16)
    assert len(fitted.reorder("w1 w2 w3").order) == 3


def test_linked_words_are_predicted_without_torch() -> None:
    made = trainer(replace(SMALL, epochs=2))
    model = made.train().eval()
    fitted = SMALL.restored(
        {
            **{name: p.detach().numpy() for name, p in model.named_parameters()},
            "words": pack_words(made.text.vocabulary.words),
        },
        made.facts,
    )
    source = made.text.manual[0][0]
    batch = made.batcher.batch(made.text.unlinked(), [0])
    with torch.no_grad():
        expected = model.linked_scores(model.read(batch)).sigmoid()[0].numpy()
    (scores,) = fitted.scores([source])
    assert scores.linked is not None
    np.testing.assert_allclose(scores.linked, expected, atol=1e-4)


def test_words_without_a_counterpart_are_carried_along() -> None:
    fitted = replace(SMALL, epochs=120, learning_rate=0.01).fit(data(), RunOptions(seed=1, device="cpu"))
    source = Source(("w1", "w2", "w3", "w0"))
    (free,) = fitted.nbest_batch([source], 1)
    carrying = fitted.with_settings(min_linked=0.5)
    (order,) = carrying.reorder_batch([source])
    read = order.order.tolist()
    assert read.index(0) + 1 == read.index(1)  # the first word has no counterpart
    others = [word for word in free[0].order.order.tolist() if word]
    assert [word for word in read if word] == others
    tree = carrying.trees("w1 w2 w3 w0")
    assert tree.order().order.tolist() == read
