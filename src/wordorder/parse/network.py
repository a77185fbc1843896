"""The parser of the package: a trained network that tags and parses tokenised sentences.

Words, character n-grams and the case of words go through a bidirectional LSTM. Tags are linear functions of
its states. The score of a head is a bilinear function of the dependent and the head, and so is that of a
relation (Dozat and Manning 2017, without tags as inputs). The heads of the best tree with one root are found
exactly; all layers are computed in C++.

:class:`wordorder.parse.network_torch.ParserNetwork` is the same network for training.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Floats, Ints
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.model_folder import Arrays
from wordorder.io.sentence import Row, Sentence
from wordorder.neural.layers import BiLSTM, Dense, mean_rows
from wordorder.neural.storage import restored_weights, stored_weights
from wordorder.neural.words import InputVocabulary, pack_words, unpack_words
from wordorder.parse.examples import ParserLabels, TypeTable
from wordorder.parse.shape import ParserShape, cases_of
from wordorder.parse.tokens import merged_rows, split_tokens

BATCH = 128  # sentences that go through the LSTM together
LONGEST = 200  # words of a tree; longer sentences are parsed in pieces
BREAKS = frozenset({".", ";", ":", "?", "!", ",", "-", "—", "–"})  # where long sentences are cut
FLOOR = 1e-12  # of probabilities, before logarithms
LARGEST_WEIGHT = 1e4  # no product of layers with smaller weights overflows


class WordScores(NamedTuple):
    """What the network knows of a sentence of n words; rows are words."""

    upos: Floats  # [n, tags], probabilities
    xpos: Floats  # [n, tags], probabilities
    heads: Floats  # [n, n + 1], probabilities; the root first
    dependents: Floats  # [n, relation_size]
    own: Floats  # [n + 1, relation_size]: as heads, the root first


@dataclass(frozen=True)
class TrainedParser:
    """Weights by name, with the vocabulary and the labels they belong to.

    With ``split``, tokens are split into the words of the treebanks before they are parsed
    (:mod:`wordorder.parse.tokens`). With ``probabilities``, the column MISC has the probabilities of the
    tag, of the head and of the relation of each word. As a :class:`~wordorder.parse.base.Parser`, it
    returns up to ``trees`` trees of each sentence.
    """

    weights: Mapping[str, Floats]
    vocabulary: InputVocabulary
    shape: ParserShape
    labels: ParserLabels
    split: bool = True
    probabilities: bool = False
    trees: int = 1

    @classmethod
    def restored(cls, arrays: Arrays, facts: Mapping[str, Any]) -> TrainedParser:
        """Rebuild a parser from the arrays and the description of a model file."""
        shape = ParserShape(**facts["shape"])
        vocabulary = InputVocabulary(unpack_words(arrays["words"]), shape.buckets)
        weights = restored_weights({name: array for name, array in arrays.items() if name != "words"})
        labels = ParserLabels(*(tuple(map(str, facts[key])) for key in ("upos", "xpos", "relations")))
        parser = cls(weights, vocabulary, shape, labels)
        parser.check()
        return parser

    def check(self) -> None:
        """Raise an error unless all weights exist, fit each other and are neither infinite nor huge."""
        for name, expected in self.shape.arrays().items():
            array = self.weights.get(name)
            if array is None or array.shape != expected:
                seen = "missing" if array is None else f"of shape {array.shape}"
                raise WordOrderError(f"the parser's {name} is {seen}; expected shape {expected}")
            if not (np.abs(array) <= LARGEST_WEIGHT).all():
                raise WordOrderError(f"the parser's {name} is not finite, or too large")
        sizes = (self.shape.words, self.shape.upos, self.shape.xpos, self.shape.relations)
        if sizes != (len(self.vocabulary), *(len(column) for column in vars(self.labels).values())):
            raise WordOrderError("the parser's words or labels do not fit its sizes")

    def arrays(self) -> Arrays:
        """Return the weights and the words, for a model file."""
        return {**stored_weights(self.weights), "words": pack_words(self.vocabulary.words)}

    def facts(self) -> dict[str, Any]:
        """Return the sizes and the labels, for a model file."""
        return {"shape": asdict(self.shape), **{key: list(each) for key, each in vars(self.labels).items()}}

    def rounded(self) -> TrainedParser:
        """Return the parser with weights as a model file has them."""
        return TrainedParser.restored(self.arrays(), self.facts())

    # Parsing

    def parse(self, words: Sequence[str] | str) -> Sentence:
        """Tag and parse one sentence: a list of words, or text that is split at blanks."""
        return self.parse_batch([words.split() if isinstance(words, str) else words])[0]

    def parse_batch(self, sentences: Sequence[Sequence[str]]) -> list[Sentence]:
        """Return the best tree of each sentence."""
        return [trees[0] for trees in self.nbest_batch(sentences, 1)]

    def trees_batch(self, sentences: Sequence[Sequence[str]]) -> list[list[Sentence]]:
        """Return up to :attr:`trees` different trees of each sentence, the most probable first."""
        return self.nbest_batch(sentences, self.trees)

    def nbest(self, words: Sequence[str] | str, k: int) -> list[Sentence]:
        """Return up to k different trees of a sentence, the most probable first."""
        return self.nbest_batch([words.split() if isinstance(words, str) else words], k)[0]

    def nbest_batch(self, sentences: Sequence[Sequence[str]], k: int) -> list[list[Sentence]]:
        """Return up to k different trees of each sentence, the most probable first.

        Trees differ in their heads. Of a sentence that is parsed in pieces, there is one tree.
        """
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        split = [
            split_tokens(tokens) if self.split else [[token] for token in tokens] for tokens in sentences
        ]
        words = [[word for own in tokens for word in own] for tokens in split]
        pieces = [list(_pieces(each)) for each in words]
        scores = iter(self._scores([piece for each in pieces for piece in each]))
        results = []
        for tokens, groups, own in zip(sentences, split, pieces, strict=True):
            lists = [self._trees(piece, next(scores), k if len(own) == 1 else 1) for piece in own]
            trees = lists[0] if len(lists) == 1 else [_joined([rows for rows, *_ in lists])]
            sizes = [len(group) for group in groups]
            unique = {
                tuple(row.head for row in rows): Sentence(rows)
                for rows in (merged_rows(tree, tokens, sizes) for tree in reversed(trees))
            }
            results.append(list(unique.values())[::-1])
        return results

    def _trees(self, words: Sequence[str], scores: WordScores, k: int) -> list[list[Row]]:
        """Return the rows of the k best trees of a sentence."""
        logs = np.log(np.maximum(scores.heads.astype(np.float64), FLOOR))
        found, _ = _native.spanning_trees(logs, k)
        upos, xpos = scores.upos.argmax(axis=1), scores.xpos.argmax(axis=1)
        return [self._rows(words, scores, heads, upos, xpos) for heads in found]

    def _rows(self, words: Sequence[str], scores: WordScores, heads: Ints, upos: Any, xpos: Any) -> list[Row]:
        relations = self._relations(scores, heads)
        best = relations.argmax(axis=1)
        rows = []
        for w, word in enumerate(words):
            misc = "_"
            if self.probabilities:
                chances = (scores.upos[w, upos[w]], scores.heads[w, heads[w]], relations[w, best[w]])
                names = ("UPosProb", "HeadProb", "DeprelProb")
                misc = "|".join(f"{name}={chance:.4f}" for name, chance in zip(names, chances, strict=True))
            labels = self.labels
            tags = (labels.upos[upos[w]], labels.xpos[xpos[w]])
            relation = "root" if heads[w] == 0 else labels.relations[best[w]]
            rows.append(Row(str(w + 1), word, "_", *tags, "_", str(heads[w]), relation, "_", misc))
        return rows

    # The network

    @cached_property
    def _layers(self) -> dict[str, Dense]:
        weights = self.weights
        return {
            name: Dense.of(weights[f"{name}.weight"], weights[f"{name}.bias"])
            for name in ("upos", "xpos", "arc", "arc_pair", "relation")
        }

    @cached_property
    def _lstm(self) -> BiLSTM:
        return BiLSTM.of(self.weights, self.shape.units, self.shape.layers)

    @cached_property
    def _relation_pair(self) -> Dense:
        """The bilinear form of relations as a layer: from a head to a vector for each relation."""
        pairs = self.weights["relation_pair"]
        return Dense.of(pairs.reshape(-1, pairs.shape[2]))

    def _scores(self, sentences: Sequence[Sequence[str]]) -> Iterator[WordScores]:
        types = TypeTable(self.vocabulary)
        places = [types.encode(words) for words in sentences]
        words, pieces, cases = (self.weights[f"{name}.weight"] for name in ("word", "piece", "case"))
        vectors = np.concatenate([words[types.numbers], mean_rows(pieces, types.ngrams)], axis=1)
        inputs = [
            np.concatenate([vectors[own], cases[cases_of(sentence)]], axis=1)
            for own, sentence in zip(places, sentences, strict=True)
        ]
        for start in range(0, len(inputs), BATCH):
            for states in self._lstm(inputs[start : start + BATCH]):
                yield self._word_scores(states[:-1])

    def _word_scores(self, states: Floats) -> WordScores:
        """Score the words of a sentence from the states of the root and the words."""
        layers = self._layers
        dependents, heads = np.split(_leaky(layers["arc"](states)), 2, axis=1)
        scores = Dense.of(heads)(layers["arc_pair"](dependents[1:]))
        scores[np.arange(len(scores)), np.arange(1, len(states))] = -np.inf  # no word is its own head
        first, second = np.split(_leaky(layers["relation"](states)), 2, axis=1)
        upos, xpos = (_softmax(layers[name](states[1:])) for name in ("upos", "xpos"))
        return WordScores(upos, xpos, _softmax(scores), first[1:], second)

    def _relations(self, scores: WordScores, heads: Ints) -> Doubles:
        """Return the probabilities of relations to these heads, ``[n, relations]``."""
        one = np.ones((len(heads), 1), dtype=np.float32)
        chosen = np.concatenate([scores.own[heads], one], axis=1)
        dependents = np.concatenate([scores.dependents, one], axis=1)
        forms = self._relation_pair(chosen).reshape(len(heads), self.shape.relations, -1)
        sums = np.einsum("nrx,nx->nr", forms, dependents)
        known = self.labels.relations
        if "root" in known and len(known) > 1:
            sums[heads > 0, known.index("root")] = -np.inf
        return _softmax(sums).astype(np.float64)


def _leaky(rows: Floats) -> Floats:
    raised: Floats = np.maximum(rows, np.float32(0.1) * rows)
    return raised


def _softmax(rows: Floats) -> Floats:
    raised: Floats = np.exp(rows - rows.max(axis=1, keepdims=True))
    raised /= raised.sum(axis=1, keepdims=True)
    return raised


def _pieces(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Cut a long sentence after the last punctuation mark that leaves a piece short enough."""
    start = 0
    while len(words) - start > LONGEST:
        ends = [at + 1 for at in range(start + LONGEST // 2, start + LONGEST) if words[at] in BREAKS]
        end = ends[-1] if ends else start + LONGEST
        yield words[start:end]
        start = end
    yield words[start:]


def _joined(pieces: Sequence[Sequence[Row]]) -> list[Row]:
    """Join the trees of the pieces of a sentence: roots of later pieces depend on that of the first."""
    joined: list[Row] = []
    root = next(int(row.id) for row in pieces[0] if row.head == "0")
    for rows in pieces:
        shift = len(joined)
        for row in rows:
            head, relation = int(row.head) + shift, row.deprel
            if row.head == "0":
                head, relation = (root, "parataxis") if shift else (0, relation)
            joined.append(row._replace(id=str(int(row.id) + shift), head=str(head), deprel=relation))
    return joined
