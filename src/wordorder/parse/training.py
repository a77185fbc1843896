"""Training the parser; needs torch, the extra ``neural``.

The network first learns to guess hidden words of raw text, then from trees that other parsers have found, if
there are any, and at last from a treebank. Part of the sentences are shown in lower case, so that the parser
does not rely on capitals.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from wordorder.io.sentence import Sentence
from wordorder.neural.words import END, UNKNOWN, InputVocabulary, word_vectors
from wordorder.parse.examples import (
    ParserLabels,
    TreeExample,
    TypeTable,
    text_examples,
    tree_examples,
    varied,
)
from wordorder.parse.network import TrainedParser
from wordorder.parse.network_torch import ParserBatch, ParserNetwork
from wordorder.parse.recipe import ParserRecipe
from wordorder.parse.shape import ParserShape
from wordorder.parse.syntax_torch import IGNORED

HIDDEN_SHARE = 0.2  # of the words of raw text

Log = Callable[[dict[str, Any]], None]


class Gold(NamedTuple):
    """The labels of a batch, padded with ``IGNORED``."""

    upos: Tensor
    xpos: Tensor
    heads: Tensor
    relations: Tensor


class ParserTrainer:
    """Trains networks on one set of texts.

    With ``start``, training goes on from a trained parser, whose words, labels and sizes are kept; hidden
    words are not guessed again.
    """

    def __init__(
        self,
        recipe: ParserRecipe,
        treebank: Sequence[Sentence],
        *,
        silver: Sequence[Sentence] = (),
        raw: Sequence[Sequence[str]] = (),
        start: TrainedParser | None = None,
        device: str = "cpu",
        threads: int = 1,
        log: Log | None = None,
    ) -> None:
        self.recipe, self.start, self.log = recipe, start, log
        self.device, self.threads = device, threads
        if start:
            self.types, self.labels, self.shape = TypeTable(start.vocabulary), start.labels, start.shape
            self.text, self.initial = [], start.weights
        else:
            text = [*(tree.forms for tree in treebank), *(tree.forms for tree in silver), *raw]
            vocabulary = InputVocabulary.of(text, max_words=recipe.max_words, buckets=recipe.buckets)
            self.types, self.labels = TypeTable(vocabulary), ParserLabels.of(treebank)
            self.text = [each for each in text_examples(text, self.types) if each.words > 1]
            self.initial = {"word.weight": word_vectors(vocabulary, text, recipe.word_size)}
            self.shape = ParserShape(
                words=len(vocabulary),
                buckets=vocabulary.buckets,
                upos=len(self.labels.upos),
                xpos=len(self.labels.xpos),
                relations=len(self.labels.relations),
                **recipe.sizes,
            )
        self.treebank = list(tree_examples(treebank, self.types, self.labels))
        self.silver = list(tree_examples(silver, self.types, self.labels))
        self._tables: tuple[Tensor, Tensor] | None = None

    def train(
        self, seed: int, *, check: Callable[[ParserNetwork], dict[str, float]] | None = None
    ) -> ParserNetwork:
        """Train a network; ``check`` is called after some epochs, and its results are logged."""
        torch.set_num_threads(self.threads)
        torch.manual_seed(seed)
        rng = np.random.default_rng(seed)
        recipe = self.recipe
        model = ParserNetwork(self.shape, dropout=recipe.dropout, word_dropout=recipe.word_dropout)
        model.load_state_dict({key: torch.tensor(each) for key, each in self.initial.items()}, strict=False)
        model.to(self.device)
        if recipe.pretraining_epochs and len(self.text) > len(self.treebank):
            guesser = WordGuesser(model).to(self.device)
            self._stage("hidden words", guesser, self.text, recipe.pretraining_epochs, 4, rng, guessing_loss)
        if self.silver:
            both = [*self.silver, *self.treebank]
            self._stage("silver trees", model, both, recipe.silver_epochs, 3, rng, tree_loss, check)
        self._stage("treebank", model, self.treebank, recipe.epochs, 1, rng, tree_loss, check)
        return model.eval()

    def trained(self, model: ParserNetwork) -> TrainedParser:
        """Return the parser that applies a network without torch."""
        weights = {name: each.detach().cpu().numpy() for name, each in model.named_parameters()}
        return TrainedParser(weights, self.types.vocabulary, self.shape, self.labels)

    def _stage(
        self,
        name: str,
        learner: nn.Module,
        examples: Sequence[TreeExample],
        epochs: int,
        scale: int,
        rng: np.random.Generator,
        loss: Callable[[Any, ParserBatch, Gold], Tensor],
        check: Callable[[ParserNetwork], dict[str, float]] | None = None,
    ) -> None:
        """Train for some epochs; batches are ``scale`` times as large as in the recipe."""
        recipe = self.recipe
        rate = recipe.learning_rate * (0.5 if name == "treebank" and (self.silver or self.start) else 1)
        optimizer = torch.optim.Adam(learner.parameters(), lr=rate, betas=(0.9, 0.95))
        mean = {key: p.detach().clone() for key, p in learner.named_parameters()}
        began, step, seen = time.time(), 0, 0
        for epoch in range(1, epochs + 1):
            learner.train()
            total, count = torch.zeros((), device=self.device), 0
            for batch, gold, size in self.batches(examples, scale * recipe.batch_words, rng):
                progress = seen / (epochs * len(examples))
                for group in optimizer.param_groups:
                    group["lr"] = rate * min(1.0, 20 * progress + 0.02) * (1 - progress)
                own = loss(learner, batch, gold)
                optimizer.zero_grad(set_to_none=True)
                own.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(learner.parameters(), 5.0)
                optimizer.step()
                step, seen, count = step + 1, seen + size, count + 1
                decay = min(recipe.average, step / (step + 10))
                torch._foreach_lerp_(
                    list(mean.values()), [p.detach() for p in learner.parameters()], 1 - decay
                )
                total += own.detach()
            record: dict[str, Any] = {"round": name, "iteration": epoch, "of": epochs}
            record |= {"loss": float(total) / max(1, count), "seconds": round(time.time() - began, 1)}
            if check and (epoch == epochs or epoch % 5 == 0):
                kept = {key: p.detach().clone() for key, p in learner.named_parameters()}
                _assign(learner, mean)
                record |= check(learner.eval())  # type: ignore[arg-type]
                _assign(learner, kept)
            if self.log:
                self.log(record)
        _assign(learner, mean)

    def batches(
        self, examples: Sequence[TreeExample], words: int, rng: np.random.Generator | None
    ) -> Iterator[tuple[ParserBatch, Gold, int]]:
        """Yield all sentences once in batches of similar length; varied and in random order with ``rng``."""
        lengths = np.array([example.words for example in examples])
        noise = rng.uniform(0, 2, len(examples)) if rng is not None else np.zeros(len(examples))
        groups: list[list[int]] = [[]]
        for place in np.argsort(lengths + noise * (1 + 0.05 * lengths), kind="stable").tolist():
            if groups[-1] and (len(groups[-1]) + 1) * (lengths[place] + 2) > words:
                groups.append([])
            groups[-1].append(place)
        if rng is not None:
            rng.shuffle(groups)
        for group in groups:
            chosen = [examples[place] for place in sorted(group, key=lambda place: -lengths[place])]
            if rng is not None:
                recipe = self.recipe
                chosen = [varied(e, rng, lower=recipe.lower_share, upper=recipe.upper_share) for e in chosen]
            yield *self.batch(chosen), len(chosen)

    def batch(self, chosen: Sequence[TreeExample]) -> tuple[ParserBatch, Gold]:
        """Return sentences, the longest first, as tensors."""
        n = chosen[0].words
        types = np.ones((len(chosen), n + 2), dtype=np.int64)
        cases = np.zeros_like(types)
        labels = np.full((4, len(chosen), n), IGNORED)
        for row, example in enumerate(chosen):
            types[row, : len(example.types)] = example.types
            cases[row, : len(example.cases)] = example.cases
            for column, values in enumerate(example[2:]):
                labels[column, row, : len(values)] = values
        at = torch.from_numpy(types).to(self.device)
        lengths = torch.tensor([example.words for example in chosen])
        numbers, ngrams = self._inputs()
        inputs = ParserBatch(numbers[at], ngrams[at], torch.from_numpy(cases).to(self.device), lengths)
        return inputs, Gold(*torch.from_numpy(labels).to(self.device))

    def _inputs(self) -> tuple[Tensor, Tensor]:
        """Return the numbers and n-grams of all words; made again when there are new words."""
        if self._tables is None or len(self._tables[0]) < len(self.types):
            numbers, ngrams = map(torch.from_numpy, (self.types.numbers, self.types.ngrams))
            self._tables = numbers.to(self.device), ngrams.to(self.device)
        return self._tables


def tree_loss(model: ParserNetwork, batch: ParserBatch, gold: Gold) -> Tensor:
    """Return the mean loss of a word: tags, head, and relation to the right head."""
    losses = model.losses(model.read(batch), batch.lengths, torch.stack(gold))
    return losses.sum() / batch.lengths.sum()


class WordGuesser(nn.Module):
    """A parser's network with an output layer that guesses hidden words."""

    def __init__(self, model: ParserNetwork) -> None:
        super().__init__()
        self.model = model
        self.turn = nn.Linear(2 * model.shape.units, model.shape.word_size)
        self.bias = nn.Parameter(torch.zeros(model.shape.words))


def guessing_loss(guesser: WordGuesser, batch: ParserBatch, _: Gold) -> Tensor:
    """Hide some words, and return the mean loss of guessing one."""
    model, numbers = guesser.model, batch.numbers
    hidden = (torch.rand(numbers.shape, device=numbers.device) < HIDDEN_SHARE) & (numbers > END)
    states = model.read(
        batch._replace(
            numbers=numbers.masked_fill(hidden, UNKNOWN),
            ngrams=batch.ngrams.masked_fill(hidden[..., None], 0),
            cases=batch.cases.masked_fill(hidden, 0),
        )
    )
    logits = guesser.turn(model.drop(states[hidden])) @ model.word.weight.T + guesser.bias
    return nn.functional.cross_entropy(logits, numbers[hidden])


def _assign(model: nn.Module, weights: dict[str, Tensor]) -> None:
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(weights[name])
