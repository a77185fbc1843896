"""The forest CRF whose edges are scored by a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from wordorder.errors import BadSetting
from wordorder.preorder.base import Arrays
from wordorder.preorder.crf.carried_words import carriers, closing_marks
from wordorder.preorder.crf.decoding import SentenceScores
from wordorder.preorder.crf.forest_crf import INFINITY, ForestCRF
from wordorder.preorder.crf.network import TrainedNetwork
from wordorder.preorder.registry import register
from wordorder.preorder.source import Source
from wordorder.preorder.training import RunOptions, TrainingData


@register
@dataclass(frozen=True, kw_only=True)
class NeuralCRF(ForestCRF):
    """A forest CRF over a bidirectional LSTM. Training needs torch; applying a model does not.

    *Model*: ``layers`` of LSTMs with ``units`` each, vectors for up to ``max_words`` words, and vectors of
    size ``pair_size`` that score pairs of words for changing places (0: none). With ``predict_linked``, the
    network also predicts which words have a counterpart in the translation. With ``labels``, words also have
    labels from parses: parts of speech (upos, xpos) or relations to their heads, without (deprel) or with the
    side of the head (arc).
    ``canonical`` gives every order a single tree instead of all its trees. If training sentences have several
    target languages, the network learns them all; ``language`` then chooses the one for sentences that do not
    have one of their own (none: all have).

    *Training*: ``pretraining_epochs`` of predicting hidden words if there is raw or automatically aligned
    text, ``tree_epochs`` of predicting the dependency trees of all sentences, which are parsed if they have
    none, ``automatic_epochs`` over automatic links if there are any, and ``epochs`` over the sentences, in
    batches of ``batch_size``, with ``learning_rate``, ``dropout`` of units and ``word_dropout`` of words.
    While links are learned, trees remain a further task of weight ``tree_weight``, so that the network knows
    the syntax of a sentence without a parser. With ``teachers``, that many networks are trained like this,
    and the final network learns their averaged posteriors for ``automatic_epochs`` over all text. Training
    can go on from another network (``TrainingData.start``), whose words, sizes, labels and target languages
    are kept. In the soft forest, each pair of words in the wrong order costs ``strength``
    (``automatic_strength`` for automatic links); moving an unaligned word costs ``stay`` times that, which
    with ``attach`` means moving it away from the next aligned word. Phrases of up to ``phrases`` words,
    subtrees that are translated as a whole, are learned as sentences of their own (0: none).
    ``tune_min_gain`` chooses ``min_gain`` by a first training on four fifths of the sentences.

    *Decoding*: the exact ``consensus`` order for word pairs (``adjacency=0``), for neighbours (1) or for a
    mixture, the most ``probable`` order that is found, or the order of the best tree (``viterbi``). Only
    orders of binary trees are ``possible``; if that is false, ``moves`` also tries others. A consensus
    order of more than ``window`` words follows from windows of that many words that overlap (0: never).
    Otherwise, and for probabilities, sentences longer than ``piece`` words are cut at punctuation (0: never).
    Scores are divided by ``temperature``; values above 1 make probabilities less confident. Words that have a
    counterpart with a probability below ``min_linked`` are carried along by the next word, if the network
    predicts this; marks that end the sentence then stay at the end. A sentence is reordered only if the
    expected gain is at least ``min_gain``.
    """

    name = "neural-crf"
    continues = True
    decoding_settings = (*ForestCRF.decoding_settings, "min_linked", "language")

    # Model
    units: int = 200
    layers: int = 2
    max_words: int = 12_000
    pair_size: int = 0
    predict_linked: bool = False
    # Training
    epochs: int = 30
    automatic_epochs: int = 6
    pretraining_epochs: int = 8
    tree_epochs: int = 0
    tree_weight: float = 0.3
    teachers: int = 0
    batch_size: int = 16
    learning_rate: float = 0.001
    dropout: float = 0.5
    word_dropout: float = 0.1
    # Decoding
    min_linked: float = 0.0
    language: str = "none"

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        if self.labels == "tree":
            raise BadSetting(f"{self.name}: labels=tree is for crf; expected none, upos, xpos, deprel or arc")
        counts = ("epochs", "automatic_epochs", "pretraining_epochs", "tree_epochs", "teachers", "pair_size")
        least = dict.fromkeys((*counts, "learning_rate", "tree_weight"), 0)
        least |= {**dict.fromkeys(("units", "layers", "batch_size"), 1), "max_words": 4}
        self.check_bounds({key: (low, INFINITY) for key, low in least.items()})
        self.check_bounds({"word_dropout": (0, 1), "dropout": (0, 0.9), "min_linked": (0, 1)})

    @property
    def learns_trees(self) -> bool:
        """Whether the network learns to predict dependency trees, which are then needed for training."""
        return self.tree_epochs > 0

    def train(self, data: TrainingData, run: RunOptions) -> tuple[TrainedNetwork, dict[str, Any]]:
        """Train a network; see :mod:`wordorder.preorder.crf.trainer`."""
        try:
            from wordorder.preorder.crf.trainer import train_network
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            raise BadSetting("training a network needs torch: pip install 'wordorder[neural]'") from None
        return train_network(self, data, run)

    def restore_state(self, arrays: Arrays, facts: Mapping[str, Any]) -> TrainedNetwork:
        """Rebuild the network from its arrays."""
        return TrainedNetwork.restored(arrays, facts["network"])

    def fitted(self, state: Any, facts: Mapping[str, Any]) -> Self:
        """Return a fitted preorderer, for a language that the network knows."""
        if self.language != "none":
            state.check_language(self.language)
        return super().fitted(state, facts)

    @property
    def target_languages(self) -> tuple[str, ...]:
        """The languages that the network has learned; empty before training, and if they have no names."""
        return tuple(self.trained["network"]["languages"]) if self.trained else ()

    def scores(self, sources: Sequence[Source]) -> list[SentenceScores]:
        """Return what the network knows of each sentence, for the language of the settings."""
        network: TrainedNetwork = self.state
        return network.scores(sources, self.language if self.language != "none" else "")

    def carried(self, piece: Source, scores: SentenceScores) -> dict[int, int]:
        """Return the words that probably have no counterpart, and those that carry them.

        Marks at the end of the words are carried by what follows them, so that they stay there.
        """
        if scores.linked is None:
            return {}
        found = carriers(piece.words, scores.linked, self.min_linked) if self.min_linked else {}
        end = len(piece)
        return found | dict.fromkeys(range(end - closing_marks(piece.words), end), end)
