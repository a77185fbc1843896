"""The forest CRF whose edges are scored by sparse features."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting
from wordorder.preorder.base import Arrays
from wordorder.preorder.checkpoints import load_checkpoint, save_checkpoint, training_key
from wordorder.preorder.crf.features import (
    UNKNOWN,
    FeatureScorer,
    WordClasses,
    WordCodes,
    code,
    transition_count,
)
from wordorder.preorder.crf.forest import log_weights
from wordorder.preorder.crf.forest_crf import INFINITY, ForestCRF
from wordorder.preorder.registry import register
from wordorder.preorder.source import Source
from wordorder.preorder.training import AlignedText, RunOptions, TrainingData

ADAGRAD_OFFSET = 1.0  # the first steps are not larger than the gradients


@register
@dataclass(frozen=True, kw_only=True)
class FeatureCRF(ForestCRF):
    """A forest CRF over sparse features of words, word classes, affixes and labels.

    *Model*: 2^``hash_bits`` hashed features. Words that occur fewer than ``min_count`` times are unknown;
    ``coarse_classes`` and ``fine_classes`` are numbers of word classes, learned from all text, raw text
    included. With ``labels``, words also have labels from parses, which must then be given: parts of speech
    (upos, xpos), relations to their heads without (deprel) or with the side of the head (arc), or the whole
    tree (tree), in which features also see the words that govern the two parts of an edge. ``canonical``
    gives every order a single tree instead of all its trees. With several ``states``, nodes of trees have
    hidden states, over which is summed.

    *Training*: ``epochs`` over the sentences in batches of ``batch_size``, after ``automatic_epochs`` over
    automatic links if there are any, with ``learning_rate``, ``l2`` regularisation and a share
    ``word_dropout`` of words replaced by the unknown word. In the soft forest, each pair of words in the
    wrong order costs ``strength`` (``automatic_strength`` for automatic links); moving an unaligned word
    costs ``stay``, which with ``attach`` means moving it away from the next aligned word. Phrases of up
    to ``phrases`` words, subtrees that are translated as a whole, are learned as sentences of their own
    (0: none).
    ``objective=margin`` learns the margin between the best tree and the best correct one, as LADER does,
    instead of the soft forest. ``state_noise`` is that of the initial transitions between states.
    ``tune_min_gain`` chooses ``min_gain`` by a first training on four fifths of the sentences.

    *Decoding*: the exact ``consensus`` order for word pairs (``adjacency=0``), for neighbours (1) or for a
    mixture, the most ``probable`` order that is found, or the order of the best tree (``viterbi``). Only
    orders of binary trees are ``possible``; if that is false, ``moves`` also tries others. A consensus
    order of more than ``window`` words follows from windows of that many words that overlap (0: never).
    Otherwise, and for probabilities, sentences longer than ``piece`` words are cut at punctuation (0: never).
    Scores are divided by ``temperature``; values
    above 1 make probabilities less confident. A sentence is reordered only if the expected gain is at least
    ``min_gain``.
    """

    name = "crf"

    # Model
    hash_bits: int = 20
    min_count: int = 2
    coarse_classes: int = 32
    fine_classes: int = 200
    states: int = 1
    # Training
    objective: Literal["forest", "margin"] = "forest"
    state_noise: float = 0.5
    epochs: int = 6
    automatic_epochs: int = 1
    batch_size: int = 4
    learning_rate: float = 0.03
    l2: float = 0.03
    word_dropout: float = 0.1

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        least = dict.fromkeys(("epochs", "automatic_epochs", "learning_rate", "l2", "state_noise"), 0)
        least |= dict.fromkeys(("batch_size", "min_count", "coarse_classes", "fine_classes"), 1)
        self.check_bounds({key: (low, INFINITY) for key, low in least.items()})
        self.check_bounds({"word_dropout": (0, 1), "hash_bits": (8, 24), "states": (1, 64)})
        if self.states > 1 and (self.canonical or self.objective == "margin"):
            raise BadSetting(
                f"{self.name}: states={self.states} sums over all trees, without canonical=yes and"
                " objective=margin"
            )

    def train(self, data: TrainingData, run: RunOptions) -> tuple[FeatureScorer, dict[str, Any]]:
        """Learn from automatic links if there are any, then from the others."""
        if len({source.target for source in data.sources}) > 1:
            raise BadSetting(f"{self.name} learns one target language; neural-crf can learn several")
        began = time.perf_counter()
        automatic: AlignedText = data.automatic or ((), ())
        scorer = self._new_scorer(data, automatic)
        rng = np.random.default_rng(run.seed)
        if self.states > 1:  # states that start the same would stay the same
            weights = scorer.learner.weights()
            count = transition_count(self.states)
            weights[-count:] = rng.normal(scale=self.state_noise, size=count)
            scorer.learner.set_weights(weights)
        facts: dict[str, Any] = {
            "sentences": len(data.sources),
            "words": sum(map(len, data.sources)),
            "seed": run.seed,
            "automatic": len(automatic[0]),
            "class_words": len(scorer.codes.classes.words),
        }
        stages = [
            _FeatureStage("automatic", automatic, self.automatic_strength, self.automatic_epochs),
            _FeatureStage("manual", (data.sources, data.alignments), self.strength, self.epochs),
        ]
        key = training_key(self.training_settings, data, run.seed)
        done = _resume(scorer, rng, run, key, facts)
        for number, stage in enumerate(stages):
            for epoch in range(stage.epochs if stage.text[0] else 0):
                if (number, epoch) < done:
                    continue
                facts["loss"] = loss = self._run_epoch(scorer, stage, rng, run.threads)
                # The final weights are the mean over the last two thirds of the epochs.
                if stage.name == "manual" and epoch >= stage.epochs // 3:
                    scorer.learner.remember()
                if run.log:
                    record = {"iteration": epoch + 1, "of": stage.epochs, "round": stage.name, "loss": loss}
                    run.log({**record, "seconds": time.perf_counter() - began})
                if run.checkpoint:
                    weights, squares, sums, remembered = scorer.learner.state()
                    progress = [number, epoch + 1, remembered, loss, rng.bit_generator.state]
                    arrays: Arrays = {"weights": weights, "squares": squares, "sums": sums}
                    save_checkpoint(run.checkpoint, key, arrays, progress)
        scorer.learner.average()
        # Round as the model file does, so that saving a model does not change it.
        scorer.learner.set_weights(scorer.learner.weights().astype(np.float16).astype(np.float32))
        return scorer, facts

    def _new_scorer(self, data: TrainingData, automatic: AlignedText) -> FeatureScorer:
        """Learn word classes and known words; all weights are zero."""
        text = [[word.lower() for word in source.words] for source in (*data.sources, *automatic[0])]
        raw = [[word.lower() for word in source.words] for source in data.raw]
        classes = WordClasses.learn([*text, *raw], [self.coarse_classes, self.fine_classes])
        counts = Counter(word for sentence in text for word in sentence)
        known = [word for word, count in counts.items() if count >= self.min_count]
        codes = WordCodes(known, classes, labels=self.labels)
        return FeatureScorer(
            codes,
            self.hash_bits,
            canonical=self.canonical,
            margin=self.objective == "margin",
            states=self.states,
        )

    def _run_epoch(
        self, scorer: FeatureScorer, stage: _FeatureStage, rng: np.random.Generator, threads: int
    ) -> float:
        """Go through the sentences once in random order; return the mean loss."""
        sources, alignments = stage.text
        places = [s for s in rng.permutation(len(sources)).tolist() if len(sources[s]) > 1]
        total = 0.0
        unknown = np.uint32(code("word", UNKNOWN))
        for start in range(0, len(places), self.batch_size):
            batch = places[start : start + self.batch_size]
            rows = []
            for s in batch:
                row = scorer.codes.of(sources[s])
                # Some words are hidden, so that classes and affixes learn to replace them.
                words = row[: len(sources[s])]
                words[rng.random(len(words)) < self.word_dropout] = unknown
                rows.append(row)
            lengths = np.array([len(sources[s]) for s in batch], dtype=np.int32)
            weights = log_weights(
                [alignments[s] for s in batch], stage.strength, stay=self.stay, attach=self.attach
            )
            total += scorer.learner.step(
                np.concatenate(rows), lengths, weights, self.learning_rate, self.l2, ADAGRAD_OFFSET, threads
            )
        return total / max(len(places), 1)

    def restore_state(self, arrays: Arrays, facts: Mapping[str, Any]) -> FeatureScorer:
        """Rebuild the scorer from its arrays."""
        return FeatureScorer.restored(
            arrays,
            self.hash_bits,
            canonical=self.canonical,
            states=self.states,
            labels=self.labels,
        )


class _FeatureStage(NamedTuple):
    """Epochs over some sentences with one strength of the soft forest."""

    name: str
    text: tuple[Sequence[Source], Sequence[Alignment]]
    strength: float
    epochs: int


def _resume(
    scorer: FeatureScorer, rng: np.random.Generator, run: RunOptions, key: str, facts: dict[str, Any]
) -> tuple[int, int]:
    """Restore a checkpoint if there is one; return the stage and the epoch to continue with."""
    names = ("weights", "squares", "sums")
    checkpoint = load_checkpoint(run.checkpoint, key, names) if run.resume else None
    if checkpoint is None:
        return 0, 0
    arrays, (stage, epoch, remembered, facts["loss"], rng.bit_generator.state) = checkpoint
    scorer.learner.set_state(arrays["weights"], arrays["squares"], arrays["sums"], remembered)
    return stage, epoch
