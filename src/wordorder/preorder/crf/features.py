"""Scores of edges from sparse features of the words at their borders: learning them, and keeping them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.preorder.base import Arrays, Source, Training
from wordorder.preorder.checkpoints import load_checkpoint, save_checkpoint, training_key
from wordorder.preorder.crf.classes import WordClasses
from wordorder.preorder.crf.forest import log_weights
from wordorder.preorder.crf.layers import UNKNOWN, Layers, code
from wordorder.preorder.crf.templates import edge_templates, pair_templates

WORD, COARSE, FINE, END, BEGIN, LABEL = range(6)  # layers
EASE = 1.0  # of AdaGrad: the first steps are not larger than the derivatives
POWER = 0.5  # how the sum over pairs of an edge is scaled by their number


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How to learn. See :class:`wordorder.preorder.crf.preorderer.ForestCRF`, which has these as settings."""

    labels: str
    strength: float
    stay: float
    attach: bool
    epochs: int
    automatic_strength: float
    automatic_epochs: int
    batch: int
    rate: float
    l2: float
    forget: float
    rare: int
    bits: int
    coarse: int
    fine: int
    canonical: bool


class FeatureScorer:
    """Learned weights of features."""

    def __init__(
        self, layers: Layers, bits: int, *, canonical: bool, weights: NDArray[Any] | None = None
    ) -> None:
        self.layers = layers
        edges = edge_templates(layers.count)
        pairs = pair_templates((WORD, COARSE, FINE, END, *([LABEL] if layers.labels else [])))
        self.native = _native.CrfLearner(layers.count, bits, POWER, edges, pairs, canonical)
        if weights is not None:
            self.native.set_weights(weights.astype(np.float32))

    def scores(self, sources: Sequence[Source]) -> list[NDArray[np.float32]]:
        """The scores of each sentence, whatever its target language."""
        return [self.native.scores(self.layers.of(one), np.array([len(one)], np.int32), 1) for one in sources]

    def arrays(self) -> Arrays:
        """Words, classes, and weights in half precision."""
        classes = self.layers.classes
        return {
            "known": _packed(sorted(self.layers.known)),
            "class_words": _packed(classes.words),
            "classes": classes.layers.astype(np.int16),
            "weights": self.native.weights().astype(np.float16),
        }

    @classmethod
    def restored(
        cls, arrays: Mapping[str, NDArray[Any]], *, canonical: bool, labels: bool = False
    ) -> FeatureScorer:
        """What :meth:`arrays` wrote."""
        classes = WordClasses(_unpacked(arrays["class_words"]), arrays["classes"].astype(np.int32))
        weights, bits = arrays["weights"], len(arrays["weights"]).bit_length() - 2
        if classes.layers.shape != (2, len(classes.words)):
            raise ValueError(f"there are classes {classes.layers.shape} of {len(classes.words)} words")
        if len(weights) != 2 << bits or not np.isfinite(weights).all():
            raise ValueError(f"there are {len(weights)} weights, or some are no numbers")
        layers = Layers(_unpacked(arrays["known"]), classes, labels=labels)
        return cls(layers, bits, canonical=canonical, weights=arrays["weights"])


def learn_features(
    recipe: Recipe, sources: Sequence[Source], alignments: Sequence[Alignment], training: Training
) -> tuple[FeatureScorer, dict[str, Any]]:
    """Learn from automatic links if there are any, then from those given; returns facts about it, too."""
    began = time.perf_counter()
    automatic = training.automatic or ((), ())
    text = [[word.lower() for word in one.words] for one in (*sources, *automatic[0])]
    raw = [[word.lower() for word in one] for one in training.raw]
    classes = WordClasses.learn([*text, *raw], [recipe.coarse, recipe.fine])
    counts = Counter(word for one in text for word in one)
    known = [word for word, count in counts.items() if count > recipe.rare]
    layers = Layers(known, classes, labels=recipe.labels != "none")
    scorer = FeatureScorer(layers, recipe.bits, canonical=recipe.canonical)
    rng = np.random.default_rng(training.seed)
    facts: dict[str, Any] = {
        "sentences": len(sources),
        "words": sum(map(len, sources)),
        "seed": training.seed,
    }
    facts |= {"automatic": len(automatic[0]), "class_words": len(classes.words)}
    rounds = [
        (automatic, recipe.automatic_strength, recipe.automatic_epochs if automatic[0] else 0),
        ((sources, alignments), recipe.strength, recipe.epochs),
    ]
    key = training_key(asdict(recipe), sources, alignments, training)
    done = _resumed(scorer, rng, training, key, facts)
    for stage, (corpus, strength, epochs) in enumerate(rounds):
        for epoch in range(epochs):
            if (stage, epoch) < done:
                continue
            loss = _epoch(scorer, recipe, *corpus, strength, rng, training.threads)
            # The weights are the mean over the last epochs: steadier than the last alone.
            if stage == 1 and epoch >= epochs // 3:
                scorer.native.remember()
            if training.log:
                record = {"iteration": epoch + 1, "of": epochs, "round": "manual" if stage else "automatic"}
                training.log({**record, "loss": loss, "seconds": time.perf_counter() - began})
            facts["loss"] = loss
            if training.checkpoint:
                weights, squares, sums, remembered = scorer.native.state()
                told = [stage, epoch + 1, remembered, loss, rng.bit_generator.state]
                arrays: Arrays = {"weights": weights, "squares": squares, "sums": sums}
                save_checkpoint(training.checkpoint, key, arrays, told)
    scorer.native.average()
    # As they are stored, so that a model says the same before and after it was saved.
    scorer.native.set_weights(scorer.native.weights().astype(np.float16).astype(np.float32))
    return scorer, facts


def _resumed(
    scorer: FeatureScorer, rng: np.random.Generator, training: Training, key: str, facts: dict[str, Any]
) -> tuple[int, int]:
    """Put back what a checkpoint has kept, if there is one; returns the stage and the epoch to go on with."""
    names = ("weights", "squares", "sums")
    kept = load_checkpoint(training.checkpoint, key, names) if training.resume else None
    if kept is None:
        return 0, 0
    arrays, (stage, epoch, remembered, facts["loss"], rng.bit_generator.state) = kept
    scorer.native.set_state(arrays["weights"], arrays["squares"], arrays["sums"], remembered)
    return stage, epoch


def _epoch(
    scorer: FeatureScorer,
    recipe: Recipe,
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    strength: float,
    rng: np.random.Generator,
    threads: int,
) -> float:
    """One pass over the sentences in random order; returns the mean loss."""
    some = [s for s in rng.permutation(len(sources)).tolist() if len(sources[s]) > 1]
    total = 0.0
    hidden = np.uint32(code("word", UNKNOWN))
    for at in range(0, len(some), recipe.batch):
        batch = some[at : at + recipe.batch]
        rows = []
        for s in batch:
            row = scorer.layers.of(sources[s])
            # Words are forgotten now and then, so that classes and letters learn to stand in for them.
            words = row[: len(sources[s])]
            words[rng.random(len(words)) < recipe.forget] = hidden
            rows.append(row)
        lengths = np.array([len(sources[s]) for s in batch], dtype=np.int32)
        weights = log_weights(
            [alignments[s] for s in batch], strength, stay=recipe.stay, attach=recipe.attach
        )
        total += scorer.native.step(
            np.concatenate(rows), lengths, weights, recipe.rate, recipe.l2, EASE, threads
        )
    return total / max(len(some), 1)


def _packed(words: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(words).encode("utf-8", "surrogatepass"), np.uint8)


def _unpacked(array: NDArray[Any]) -> tuple[str, ...]:
    text = array.astype(np.uint8).tobytes().decode("utf-8", "surrogatepass")
    return tuple(text.split("\n")) if text else ()
