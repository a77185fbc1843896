"""What networks learn from beside links: hidden words of raw text, and other networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.oracle import crf as slow  # noqa: E402
from tests.preorder.test_crf_inside_cpp import CPP, flattened  # noqa: E402
from tests.preorder.test_crf_network import alone, order_of, small  # noqa: E402
from wordorder.neural.words import InputVocabulary  # noqa: E402
from wordorder.preorder import as_sources  # noqa: E402
from wordorder.preorder.crf import objectives  # noqa: E402
from wordorder.preorder.crf.examples import Example  # noqa: E402
from wordorder.preorder.crf.inside_cpp import CppEdgeNetwork  # noqa: E402
from wordorder.preorder.crf.network import NetworkShape  # noqa: E402
from wordorder.preorder.crf.network_torch import Batch, EdgeNetwork  # noqa: E402
from wordorder.preorder.crf.objectives import (  # noqa: E402
    TORCH,
    HiddenWordPredictor,
    hidden_word_objective,
)
from wordorder.preorder.crf.training_loop import Batcher, Stage, run_stage  # noqa: E402
from wordorder.preorder.crf.word_inputs import WordTypes  # noqa: E402

SIZES = {"units": 12, "word_size": 8, "piece_size": 5, "span_size": 7, "edge_size": 6}


def reader(
    text: Sequence[Sequence[str]],
) -> tuple[HiddenWordPredictor, Batcher, list[Example]]:
    """A network that never learned, and sentences without links."""
    known = InputVocabulary.of(text, min_count=1, max_words=100, buckets=64)
    types = WordTypes.of(known, as_sources(text))
    torch.manual_seed(2)
    shape = NetworkShape(words=len(known), buckets=64, **SIZES)
    guesser = HiddenWordPredictor(CppEdgeNetwork(shape, dropout=0, word_dropout=0))
    examples = [Example(types.encode(one)) for one in as_sources(text)]
    return guesser, Batcher(types, "cpu"), examples


def test_hidden_words_are_guessed_from_others() -> None:
    """Text that counts, from different numbers: what is hidden follows from what stands beside it."""
    count = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    guesser, batcher, examples = reader([count[k:] + count[:k] for k in range(8)] * 3)
    losses: list[float] = []
    stage = Stage(
        objective=hidden_word_objective,
        examples=lambda: examples,
        epochs=30,
        learning_rate=0.03,
        batch_size=4,
        extend=lambda model: guesser,
    )
    run_stage(guesser.model, batcher, stage, seed=1, log=lambda record: losses.append(record["loss"]))
    assert np.mean(losses[-5:]) < 0.3 * losses[0]
    # What was learned is in the network: its vectors of words have moved, and nothing but edges has not.
    still = {name for name, p in guesser.model.named_parameters() if p.grad is None}
    assert still == {"language.weight", "span_left.weight", "span_left.bias", "span_right.weight",
                     "width.weight", "roles.weight", "roles.bias", "edge.weight", "edge.bias"}  # fmt: skip


def test_a_hidden_word_is_not_seen() -> None:
    """Another word in its place makes no difference to the guess; everywhere else it does."""
    text = [["one", "two", "three", "four", "five", "six", "seven"], ["eight", "nine", "ten", "one", "two"]]
    guesser, batcher, examples = reader(text)
    guesser.eval()
    seen: list[torch.Tensor] = []
    guesser.register_forward_hook(lambda module, given, found: seen.append(found.detach()))
    batch = batcher.batch(examples, [0, 1])

    def guesses(changed: Batch) -> torch.Tensor:
        torch.manual_seed(3)  # the same words are hidden, some in each sentence
        hidden_word_objective(guesser, changed)
        return seen[-1]

    first, unseen = guesses(batch), []
    for b, words in enumerate(text):
        for at, word in enumerate(words, start=1):
            numbers, ngrams = batch.numbers.clone(), batch.ngrams.clone()
            other = 5 if word != "five" else 6
            numbers[b, at], ngrams[b, at] = batch.numbers[0, other], batch.ngrams[0, other]
            if torch.equal(guesses(batch._replace(numbers=numbers, ngrams=ngrams)), first):
                unseen.append((b, at))
    assert len(first) == len(unseen) and {b for b, _ in unseen} == {0, 1}
    # The loss of a sentence is that of its own words.
    torch.manual_seed(3)
    losses = hidden_word_objective(guesser, batch)
    wanted = torch.stack([batch.numbers[b, at] for b, at in unseen])
    each = -torch.log_softmax(first, dim=-1)[torch.arange(len(wanted)), wanted]
    expected = [sum(each[k] for k, (b, _) in enumerate(unseen) if b == row) for row in (0, 1)]
    np.testing.assert_allclose(losses.detach(), torch.tensor(expected), rtol=1e-5)


def cpp_twin(model: EdgeNetwork) -> CppEdgeNetwork:
    made = CppEdgeNetwork(model.shape, dropout=0, word_dropout=0)
    made.load_state_dict(model.state_dict())
    return made


def random_network(seed: int) -> EdgeNetwork:
    """One that never learned, but with scores that differ."""
    model = small(seed)[0]
    with torch.no_grad():
        model.edge.weight.normal_()
    return model


def test_the_cross_entropy_of_teachers_by_enumeration() -> None:
    """Up to the scores' own part: the mean over teachers of the expected score, less log Z."""
    student, *others = (random_network(seed) for seed in (1, 2, 3))
    _, batcher, examples = small()
    batch = batcher.batch(examples, [0, 1, 2])
    losses = objectives.teacher_objective(TORCH, others)(student, batch)
    for loss, place in zip(losses.tolist(), batch.places, strict=True):
        one = examples[place]
        scores = [alone(model, batcher, one) for model in (student, *others)]
        own, *fields = (slow.field(each, one.words) for each in scores)
        wanted = np.mean([slow.posteriors(each, one.words) for each in fields], axis=0)
        assert loss == pytest.approx(own.log_z - wanted @ scores[0], abs=1e-4)


def test_teachers_are_the_same_in_cpp() -> None:
    """Losses to 1e-4, posteriors and derivatives to 1e-5 (both sides have 32 bits)."""
    models = [random_network(seed) for seed in (1, 2, 3)]
    twins = [cpp_twin(model) for model in models]
    _, batcher, examples = small()
    batch = batcher.batch(examples, [0, 1, 2])
    scores = [objectives.score_batch(one, batch) for one in (models[1], twins[1])]
    found, expected = CPP.posteriors(scores[1], batch), TORCH.posteriors(scores[0], batch)
    np.testing.assert_allclose(found, flattened(expected, batch), atol=1e-5)
    factors = torch.tensor([1.0, 0.5, -2.0])  # sentences may count differently
    losses = []
    for backend, (student, *others) in ((TORCH, models), (CPP, twins)):
        losses.append(objectives.teacher_objective(backend, others)(student, batch))
        (losses[-1] * factors).sum().backward()
        assert all(p.grad is None for one in others for p in one.parameters())
    np.testing.assert_allclose(losses[1].detach(), losses[0].detach(), atol=1e-4)
    compared = 0
    for (name, p), q in zip(models[0].named_parameters(), twins[0].parameters(), strict=True):
        assert (p.grad is None) == (q.grad is None), name
        if p.grad is not None:
            np.testing.assert_allclose(q.grad, p.grad, atol=1e-5, err_msg=name)
            compared += bool(p.grad.abs().max() > 1e-3)
    assert compared > 10


@pytest.mark.parametrize("backend", [TORCH, CPP], ids=["torch", "cpp"])
def test_a_student_comes_to_its_teacher_s_orders(backend: objectives.Backend) -> None:
    """It is never shown the links that the teacher learned from."""
    teacher, batcher, examples = small(1)
    stage = Stage(
        objective=objectives.link_objective(TORCH),
        examples=lambda: examples,
        epochs=40,
        learning_rate=0.03,
        batch_size=3,
    )
    run_stage(teacher, batcher, stage, seed=3)
    wanted = [list(order_of(teacher, batcher, one)) for one in examples]
    assert wanted[2] != sorted(wanted[2])
    bare = [one._replace(signs=None) for one in examples]
    student = small(2)[0]
    models = [teacher, student] if backend is TORCH else [cpp_twin(one) for one in (teacher, student)]
    stage = replace(stage, objective=objectives.teacher_objective(backend, models[:1]), examples=lambda: bare)
    run_stage(models[1], batcher, stage, seed=3)
    student.load_state_dict(models[1].state_dict())
    assert [list(order_of(student, batcher, one)) for one in examples] == wanted
