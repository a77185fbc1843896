"""Features of dependency trees in the forest CRF: what templates see, their gradient, and what is learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.oracle import crf as slow
from tests.oracle import span_tops
from tests.oracle.derivatives import check_derivatives
from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder import Source, TrainingData, check_preorderer, load_preorderer
from wordorder.preorder.crf import FeatureCRF, NeuralCRF
from wordorder.preorder.crf.features import TREE_PLACES, tree_templates
from wordorder.preorder.long_sentences import section
from wordorder.preorder.probabilistic import HIDDEN
from wordorder.preorder.word_labels import heads_of, labelled

SMALL = FeatureCRF(labels="tree", hash_bits=12, epochs=10, coarse_classes=2, fine_classes=4)


def random_heads(rng: np.random.Generator, n: int) -> list[int]:
    """Return any graph in which every word has a head or none (n): parsers may also return such."""
    return [int(head) if head != at else n for at, head in enumerate(rng.integers(n + 1, size=n))]


def random_tree(rng: np.random.Generator, n: int) -> list[int]:
    """Return heads without cycles; that of the root is n."""
    words = rng.permutation(n).tolist()
    return [
        head
        for _, head in sorted(
            (word, words[int(rng.integers(at))] if at else n) for at, word in enumerate(words)
        )
    ]


def distance_class(a: int, b: int) -> int:
    return sum(abs(a - b) > end for end in (1, 2, 3, 4, 6, 9, 14, 24))


def seen(row: list[int], codes: np.ndarray, heads: list[int], edge: slow.Edge) -> tuple[object, ...]:
    """What a template sees at an edge, from the definition of tops."""
    i, k, j, _ = edge
    n = len(heads)
    (left, left_kind), (right, right_kind) = span_tops.top(heads, i, k), span_tops.top(heads, k, j)
    above = heads[left] if left < n else -1
    words = (left, left, right, right, above if above < n else -1)
    facts = (span_tops.relation(heads, left, right), (left_kind, right_kind), distance_class(left, right))
    looks = [
        codes[layer, at] if 0 <= at < n else "outside"
        for layer, at in zip(row, words, strict=False)
        if layer >= 0
    ]
    return (*looks, *(fact for fact, read in zip(facts, row[5:], strict=True) if read >= 0))


@pytest.mark.parametrize("make", [random_heads, random_tree])
def test_a_template_sees_the_tops_of_both_parts(make: object) -> None:
    """Two edges have the same score if all that the template looks at is the same, and only then."""
    rng = np.random.default_rng(3)
    layers = 1 + max(place for row in tree_templates() for place in row)
    for row in tree_templates():
        n = int(rng.integers(2, 9))
        heads = make(rng, n)  # type: ignore[operator]
        learner = _native.CrfLearner(layers, 18, 0.5, [], [], trees=[row])
        learner.set_weights(rng.normal(size=2 << 18).astype(np.float32))
        codes = rng.integers(2, size=(layers, n)).astype(np.uint32)
        rows = np.concatenate([codes.ravel(), np.array(heads, np.uint32)])
        scores = learner.scores(rows, np.array([n], np.int32), 1)
        of: dict[object, float] = {}
        for edge, at in slow.numbered(n).items():
            key = (edge[3], seen(row, codes, heads, edge))
            assert of.setdefault(key, float(scores[at])) == pytest.approx(float(scores[at]))
        assert len(set(of.values())) == len(of)


def test_the_gradient_of_the_weights() -> None:
    rng = np.random.default_rng(1)
    learner = _native.CrfLearner(7, 6, 0.5, [], [], trees=tree_templates())
    lengths = np.array([4, 1, 6, 2], np.int32)
    codes = np.concatenate(
        [
            np.concatenate([rng.integers(3, size=7 * n), random_tree(rng, n)]).astype(np.uint32)
            for n in lengths.tolist()
        ]
    )
    check_derivatives(learner, codes, lengths, rng)


def test_templates_name_places() -> None:
    assert len(TREE_PLACES) == 8 and all(len(row) == 8 for row in tree_templates())
    assert len({tuple(row) for row in tree_templates()}) == len(tree_templates())
    with pytest.raises(ValueError, match="does not fit the layers"):
        _native.CrfLearner(2, 6, 0.5, [], [], trees=[[2, -1, -1, -1, -1, 0, 0, 0]])
    with pytest.raises(ValueError, match="the codes do not fit"):
        _native.CrfLearner(1, 6, 0.5, [], [], trees=[[0, -1, -1, -1, -1, 0, 0, 0]]).scores(
            np.zeros(3, np.uint32), np.array([3], np.int32), 1
        )


def parsed(words: tuple[str, ...], heads: list[int]) -> Source:
    rows = [
        Row(str(at), word, upos="X", head=str(head + 1 if head < len(words) else 0), deprel="dep")
        for at, (word, head) in enumerate(zip(words, heads, strict=True), start=1)
    ]
    return Source(words, parse=Sentence(rows))


def corpus(count: int, seed: int = 0) -> tuple[list[Source], list[Alignment]]:
    """All words look the same; the first one governs a word, which goes before it with all that is below."""
    rng = np.random.default_rng(seed)
    sources, alignments = [], []
    for _ in range(count):
        n = int(rng.integers(3, 8))
        cut = int(
            rng.integers(1, n)
        )  # words 1 .. cut are in the subtree of word 1, the others below the last
        heads = [n if cut == n - 1 else n - 1, 0, *([1] * (cut - 1)), *([n - 1] * (n - cut - 2))]
        heads += [n] if cut < n - 1 else []
        order = [*range(1, cut + 1), 0, *range(cut + 1, n)]
        sources.append(parsed(("a",) * n, heads))
        alignments.append(Alignment(n, n, [(i, k) for k, i in enumerate(order)]))
    return sources, alignments


def test_an_order_that_depends_on_the_tree_is_learned(tmp_path: Path) -> None:
    fitted = SMALL.fit(TrainingData(*corpus(150)))
    sources, alignments = corpus(40, seed=1)
    expected = [
        Permutation.from_order([i for i, _ in sorted(one.links, key=lambda link: link[1])])
        for one in alignments
    ]
    orders = fitted.reorder_batch(sources)
    assert sum(a == b for a, b in zip(orders, expected, strict=True)) >= 38
    fitted.save(str(tmp_path / "m"))
    again = load_preorderer(str(tmp_path / "m"))
    assert again.needs == ("parse",) and again.reorder_batch(sources) == orders
    # Relations do not tell the words apart.
    blind = replace(SMALL, labels="deprel").fit(TrainingData(*corpus(150))).reorder_batch(sources)
    assert sum(a == b for a, b in zip(blind, expected, strict=True)) < 30
    # Text without trees is parsed by the shipped parser.
    assert len(again.reorder([["she", "saw", "old", "dogs"], []])) == 2


def test_the_contract() -> None:
    check_preorderer(replace(SMALL, epochs=2))
    check_preorderer(replace(SMALL, epochs=2, states=2))
    with pytest.raises(BadSetting, match="labels=tree is for crf"):
        NeuralCRF(labels="tree")


def test_trees_go_with_their_words() -> None:
    source = labelled(parsed(tuple("abcde"), [1, 5, 1, 4, 1]), "tree")
    assert source.layers[2] == ("1", "0", "-1", "1", "-3")
    assert heads_of(source) == [1, 5, 1, 4, 1]
    assert heads_of(section(source, 2, 5)) == [3, 2, 3]  # the head of c and e is outside
    hidden = labelled(replace(source, words=("a", HIDDEN, "c", "d", "e")), "tree")
    assert hidden.layers[0][1] == hidden.layers[1][1] == "" and hidden.layers[2] == source.layers[2]
    with pytest.raises(WordOrderError, match="'x' is no distance"):
        heads_of(Source(("a",), layers=(("dep",), ("X",), ("x",))))
    flat = Source(
        ("a", "b"), parse=Sentence([Row("1", "a", deprel="x", upos="X"), Row("2", "b", deprel="x")])
    )
    with pytest.raises(WordOrderError, match="no heads"):
        labelled(flat, "tree")
