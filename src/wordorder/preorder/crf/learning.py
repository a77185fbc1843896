"""Learning a network from aligned sentences: needs torch, the extra ``neural``.

A network learns in rounds: from hidden words of raw text, from automatic links, from the links that are
trusted. If it is to have teachers, these do so instead, each with a seed of its own, and then the network
learns from all text, with and without links, what trees they think likely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting
from wordorder.preorder.base import Source, Training
from wordorder.preorder.checkpoints import load_checkpoint, save_checkpoint, training_key
from wordorder.preorder.crf import objectives
from wordorder.preorder.crf.curriculum import Lessons
from wordorder.preorder.crf.inside_cpp import ragged_backend
from wordorder.preorder.crf.network import EdgeScorer, Shape
from wordorder.preorder.crf.neural import Network, NeuralScorer
from wordorder.preorder.crf.training import Batcher, Example, Objective, Stage, train
from wordorder.preorder.crf.training_state import State
from wordorder.preorder.crf.vectors import word_vectors

AVERAGE = 0.98  # decay of the mean of weights
# A student sees targets that are not noisy, and a lot of text.
STUDENT_DROPOUT, STUDENT_AVERAGE, STUDENT_TEXT = 0.2, 0.999, 60_000
WIDEST, STEPS = 8, 200  # how many times larger batches of much text are at most, and steps that must remain


def learn_network(
    settings: Mapping[str, Any],
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    training: Training,
) -> tuple[NeuralScorer, dict[str, Any]]:
    """A network and what is known of its training.

    All text tells what words there are and gives them their first vectors. Sentences may have different
    target languages. The same for a seed, for any number of threads, on one kind of machine.
    """
    if not any(len(one) > 1 for one in sources):
        raise BadSetting("no sentence of two words or more to learn from")
    lessons = Lessons(settings, sources, alignments, training)
    school = School(settings, lessons, training)
    threads = torch.get_num_threads()
    # Torch adds up differently with other numbers of threads; the kernels, which take the most time, do not.
    torch.set_num_threads(1)
    try:
        model = school.learn()
    finally:
        torch.set_num_threads(threads)
    arrays = {name: array.astype(np.float16) for name, array in _arrays(model).items()}
    network = Network.restored({**arrays, **lessons.lexicon.arrays()}, school.facts["network"])
    return NeuralScorer(network, settings["language"]), school.facts


class Round(NamedTuple):
    """Passes over some text."""

    name: str  # for the log
    objective: Objective
    examples: Callable[[], list[Example]]
    passes: int
    average: float = AVERAGE
    much: bool = True  # larger batches if there is much text
    learner: Callable[[EdgeScorer], nn.Module] = lambda model: model  # what learns, if more than the network


class School:
    """One training: what its networks have in common, what it has told so far and how far it was kept."""

    def __init__(self, settings: Mapping[str, Any], lessons: Lessons, training: Training) -> None:
        self.settings, self.lessons, self.training = settings, lessons, training
        self.device = _device(training.device)
        self.backend = _backend(settings, self.device, training.threads)
        self.batcher = Batcher(lessons.types, self.device, edges=self.backend.edges)
        self.shape = Shape(
            words=len(lessons.lexicon),
            buckets=lessons.lexicon.buckets,
            languages=max(1, len(lessons.languages)),
            labels=len(lessons.labels) + 1 if lessons.labels else 0,
            units=settings["units"],
            pair_size=settings["pairs"],
        )
        self.vectors = word_vectors(lessons.lexicon, lessons.text, self.shape.word_size)
        self.facts: dict[str, Any] = {
            "sentences": len(lessons.trusted[0]),
            "seed": training.seed,
            "automatic": len(lessons.automatic[0]),
            "raw": len(lessons.raw),
            "network": {
                "shape": asdict(self.shape),
                "languages": lessons.languages,
                "labels": lessons.labels,
            },
        }
        self.key = training_key({**settings, "device": self.device}, *lessons.trusted, training)
        self.kept = load_checkpoint(training.checkpoint, self.key, ("random",)) if training.resume else None
        self.reached = (0, -1)  # the network and its round that were kept last
        if self.kept:
            told = self.kept[1]
            self.reached = (told["network"], told["round"])
            self.facts["loss"] = told["loss"]

    def learn(self) -> EdgeScorer:
        """The network, taught by others if the settings say so."""
        many = self.settings["teachers"]
        if not many:
            return self.network(0, self.training.seed, [*self.reading(), *self.linked()])
        teachers = [self.teacher(number) for number in range(many)]
        taught = Round(
            "teachers",
            objectives.teachers(self.backend, teachers),
            # Where words have labels, teachers have learned nothing of words without.
            partial(self.lessons.unlinked, STUDENT_TEXT, raw=not self.lessons.labels),
            self.settings["automatic_epochs"],
            STUDENT_AVERAGE,
        )
        return self.network(many, self.training.seed, [*self.reading(), taught], STUDENT_DROPOUT)

    # Rounds

    def reading(self) -> list[Round]:
        """What is learned from words alone, where there are more of them than those with trusted links."""
        passes = self.settings["reading"]
        if not passes or not self.lessons.is_rich:
            return []
        made = Round("raw text", objectives.hidden_words, self.lessons.unlinked, passes, average=0.0)
        return [made._replace(learner=objectives.Guesser)]

    def linked(self) -> list[Round]:
        """What is learned from links."""
        way, lessons, settings = objectives.links(self.backend), self.lessons, self.settings
        made = []
        if lessons.automatic[0]:
            some = partial(lessons.linked, lessons.automatic, settings["automatic_strength"])
            made.append(Round("automatic", way, some, settings["automatic_epochs"]))
        own = partial(lessons.linked, lessons.trusted, settings["strength"])
        return [*made, Round("manual", way, own, settings["epochs"], much=False)]

    # Networks

    def teacher(self, number: int) -> EdgeScorer:
        """A network that learned from links; a file keeps it when it is done."""
        seed, name = 1000 * self.training.seed + number, f"teacher-{number + 1}.safetensors"
        folder = self.training.checkpoint
        if number >= self.reached[0]:
            model = self.network(number, seed, [*self.reading(), *self.linked()])
            if folder:
                save_checkpoint(folder, self.key, _arrays(model), {}, name=name)
            return model.eval()
        model = self.new(seed)
        names = [name for name, _ in model.named_parameters()]
        kept = load_checkpoint(folder, self.key, names, name=name)
        if kept is None:
            raise BadSetting(f"{folder} has no {name}; train without resuming")
        model.load_state_dict({key: torch.from_numpy(array) for key, array in kept[0].items()})
        return model.eval()

    def new(self, seed: int, dropout: float | None = None) -> EdgeScorer:
        """A network that has learned nothing yet but the first vectors of words."""
        torch.manual_seed(seed)
        model = self.backend.scorer(
            self.shape,
            dropout=self.settings["dropout"] if dropout is None else dropout,
            word_dropout=self.settings["forget"],
        )
        model.threads = self.training.threads
        with torch.no_grad():
            model.word.weight.copy_(torch.from_numpy(self.vectors))
        return model.to(self.device)

    def network(
        self, number: int, seed: int, rounds: Sequence[Round], dropout: float | None = None
    ) -> EdgeScorer:
        """A network after all its rounds; those that were kept are not done again."""
        model = self.new(seed, dropout)
        for at, one in enumerate(rounds):
            place = (number, at)
            if place < self.reached:
                continue
            examples = one.examples()
            train(
                one.learner(model).to(self.device),
                self.batcher,
                examples,
                Stage(
                    passes=one.passes,
                    batch=self._batch(len(examples)) if one.much else self.settings["batch"],
                    rate=self.settings["rate"],
                    average=one.average,
                ),
                one.objective,
                seed=seed,
                log=partial(self._tell, number, one),
                kept=self.kept if place == self.reached else None,
                keep=partial(self._keep, place) if self.training.checkpoint else None,
            )
        return model

    def _batch(self, sentences: int) -> int:
        """Much text is read in larger batches."""
        one: int = self.settings["batch"]
        return min(WIDEST * one, max(one, sentences // STEPS))

    def _tell(self, number: int, one: Round, record: Mapping[str, Any]) -> None:
        self.facts["loss"] = record["loss"]
        if self.training.log:
            told = {"iteration": record["pass"], "of": one.passes, "round": one.name, "loss": record["loss"]}
            of = {"network": number + 1} if self.settings["teachers"] else {}
            self.training.log({**told, **of, "seconds": record["seconds"]})

    def _keep(self, place: tuple[int, int], state: State) -> None:
        told = {**state.facts(), "network": place[0], "round": place[1], "loss": self.facts["loss"]}
        save_checkpoint(str(self.training.checkpoint), self.key, state.arrays(), told)


def _arrays(model: EdgeScorer) -> dict[str, Any]:
    return {name: p.detach().cpu().numpy() for name, p in model.named_parameters()}


def _device(wanted: str) -> str:
    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=wanted)
    except (RuntimeError, AssertionError) as error:
        raise BadSetting(f"training: device is {wanted!r}: {str(error).splitlines()[0]}") from None
    return wanted


def _backend(settings: Mapping[str, Any], device: str, threads: int) -> objectives.Backend:
    """What scores and sums: C++ on a CPU, else torch."""
    if device == "cpu":
        return ragged_backend(canonical=settings["canonical"], threads=threads)
    if settings["canonical"]:
        raise BadSetting(f"canonical trees can be learned on a cpu only, not on {device}")
    return objectives.TORCH
