"""Train en-multi-crf with teachers: large networks, of which some see dependency trees, and a small one.

    python -m experiments.shipped_models.distillation --work WORK [--parts 0 1 2 3 4 -1] [--jobs 6]

WORK has the text of experiments.shipped_models.text. Training needs torch and a GPU. The teachers learn from
raw text, dependency trees and automatic links; these networks serve all parts. For each part of the divided
sets they go on to learn from the manual links outside this part (part -1: from all). The small network, which
needs no parser, learns the mean of their distributions over trees, for raw text as well, then manual links
twice, the second time with names. Finished networks are kept in WORK.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from experiments.crf.directions import MANUAL, REHEARSED
from experiments.parallel import Corpus, concatenate
from experiments.shipped_models.text import LANGUAGES, LINKED, StoredText
from wordorder.neural.device import training_device
from wordorder.neural.words import pack_words, word_vectors
from wordorder.parse.examples import ParserLabels
from wordorder.preorder import RunOptions, TrainingData, load_preorderer
from wordorder.preorder.crf import NeuralCRF
from wordorder.preorder.crf.examples import Example, TrainingText
from wordorder.preorder.crf.network import NetworkShape, TrainedNetwork
from wordorder.preorder.crf.network_torch import EdgeNetwork
from wordorder.preorder.crf.objectives import (
    TORCH,
    HiddenWordPredictor,
    Objective,
    TreePredictor,
    hidden_word_objective,
    link_objective,
    teacher_objective,
    tree_objective,
)
from wordorder.preorder.crf.trainer import AVERAGE, STUDENT_AVERAGE
from wordorder.preorder.crf.training_loop import Batcher, Stage, run_stage
from wordorder.preorder.crf.word_inputs import WordTypes

RAW_COPIES = 2  # target languages that each raw sentence is learned for
MANUAL_COPIES = 3  # of sentences with manual links, in the text that the small network learns from
AUTOMATIC_SHARE = 2  # every 2nd sentence with automatic links is part of that text


@dataclass(frozen=True)
class Kind:
    """A kind of network: its sizes, whether it sees relations to heads, and its seed."""

    units: int
    layers: int
    seed: int
    labels: bool = False
    dropout: float = 0.4


TEACHERS = {
    "deep": Kind(400, 3, seed=11),
    "labels": Kind(400, 2, seed=12, labels=True),
    "deep-labels": Kind(300, 3, seed=13, labels=True),
}
SMALL = Kind(200, 2, seed=1, dropout=0.2)
KINDS = {**TEACHERS, "small": SMALL}
WORD_SIZE = 100
SETTINGS = NeuralCRF(
    tune_min_gain=False, predict_linked=True, min_linked=0.05, tree_epochs=2, automatic_epochs=4, epochs=10,
    pretraining_epochs=2, batch_size=32,
)  # fmt: skip
STUDENT_EPOCHS = 6
LINKS_SHARE, NAMES_SHARE = 1 / 2, 2 / 3  # of the weights after these steps in the mean with those before
# The mean of the teachers is too smooth for names and headings, which are learned from links again.
FINAL: dict[str, Any] = {
    "epochs": 3, "learning_rate": 3e-4, "dropout": 0.35, "batch_size": 16,
    "pretraining_epochs": 0, "tree_epochs": 0, "automatic_epochs": 0,
}  # fmt: skip


# Networks


class Laboratory:
    """All text as numbers, and all networks. It is made before processes are started, which share it."""

    def __init__(self, work: Path, *, limit: int | None = None) -> None:
        self.work = work
        self._predictor: TreePredictor | None = None
        self.stored = StoredText(work, limit)
        automatic = {x: self.stored.automatic(x) for x in LANGUAGES}
        joined = concatenate(automatic.values())
        # The words of the vocabulary and their vectors come from text that serves all parts.
        self.text = text = TrainingText(SETTINGS, TrainingData(*joined, raw=self.stored.raw))
        every = [*joined.sources, *self.stored.raw]
        every += [source for name in MANUAL for source in self.stored.manual(name).sources]
        text.languages = list(LANGUAGES)
        text.labels = sorted({label for source in every for label in source.layers[0]})
        text.types = WordTypes.of(text.vocabulary, every, text.labels)
        text.tree_labels = ParserLabels.of(source.parse for source in every if source.parse)
        self.vectors = word_vectors(text.vocabulary, text.sentences, WORD_SIZE)
        self.automatic = self._linked(joined, manual=False)
        self.rehearsed = [
            example
            for language, corpus in automatic.items()
            if language not in LINKED
            for example in self._linked(corpus.select(range(len(corpus.sources))[:REHEARSED]), manual=False)
        ]
        count = len(text.languages)
        self.raw = [
            text.unlinked_example(replace(source, target=text.languages[(s + copy * (count // 2)) % count]))
            for copy in range(RAW_COPIES)
            for s, source in enumerate(self.stored.raw)
        ]
        self.examples = {name: self._linked(self.stored.manual(name), manual=True) for name in MANUAL}

    def _linked(self, corpus: Corpus, *, manual: bool) -> list[Example]:
        strength = SETTINGS.strength if manual else SETTINGS.automatic_strength
        return self.text.linked((corpus.sources, corpus.alignments), strength, manual=manual)

    def outside(self, part: int) -> list[Example]:
        """Return the sentences with manual links outside a part; -1: all."""
        return [
            examples[s] for name, examples in self.examples.items() for s in self.stored.outside(name, part)
        ]

    def base(self, name: str) -> None:
        """Train a network on the text that serves all parts."""
        kind = KINDS[name]
        model = self.network(kind)
        stages = [*self.pretraining(), self.links("automatic", self.automatic, SETTINGS.automatic_epochs)]
        self.run(model, kind, stages, f"{name}-base")

    def teacher(self, name: str, part: int) -> None:
        """Let a teacher go on to learn from manual links outside a part."""
        examples = [*self.outside(part), *self.rehearsed]
        model = self.network(KINDS[name], f"{name}-base")
        self.run(model, KINDS[name], [self.links("manual", examples, SETTINGS.epochs)], f"{name}-{part}")

    def distilled(self, part: int) -> None:
        """Let the small network learn the mean of the teachers of a part."""
        teachers = [self.network(KINDS[teacher], f"{teacher}-{part}").eval() for teacher in TEACHERS]
        examples = self.outside(part) * MANUAL_COPIES + self.raw + self.automatic[::AUTOMATIC_SHARE]
        model = self.network(SMALL, "small-base")
        objective = teacher_objective(TORCH, teachers, trees=SETTINGS.tree_weight)
        stage = self.stage("teachers", objective, examples, STUDENT_EPOCHS, STUDENT_AVERAGE, self.predictor)
        self.run(model, SMALL, [stage], f"small-distilled-{part}")

    def refined(self, name: str, start_name: str, part: int, names: bool) -> None:
        """Let the small network go on to learn from manual links outside a part, and from names if wanted.

        Sentences with names count like those with manual links, although their other links are automatic.
        Its weights are a mean of those before and after that (Wortsman et al. 2022): it is then better on
        text that is unlike the manual links, and no worse on other text.
        """
        start = load_preorderer(self.work / start_name)
        assert isinstance(start, NeuralCRF)
        manual = [self.stored.manual(own).select(self.stored.outside(own, part)) for own in MANUAL]
        if names:
            manual += [self.stored.names(kind, x) for x in LANGUAGES for kind in ("headings", "named")]
        rehearsed = []
        for corpus in (self.stored.automatic(language) for language in LANGUAGES if language not in LINKED):
            count = len(corpus.sources)
            # The first sentences are from one set. If they are learned twice, the other sets are forgotten.
            step = max(-(-count // REHEARSED), 1) if names else 1
            rehearsed.append(corpus.select(range(count)[::step][:REHEARSED]))
        data = TrainingData(*concatenate([*manual, *rehearsed]), start=start)
        after = replace(start, **FINAL).fit(data, RunOptions(seed=1, threads=1))
        network: TrainedNetwork = after.state
        share = NAMES_SHARE if names else LINKS_SHARE
        weights = {
            key: (1 - share) * start.state.weights[key] + share * own for key, own in network.weights.items()
        }
        mean = replace(network, weights=weights)
        after.fitted(mean, after.trained).save(str(self.work / name))

    # Stages

    def pretraining(self) -> list[Stage]:
        """Return the stages of hidden words and of trees."""
        examples = self.raw[: len(self.raw) // RAW_COPIES] + self.automatic
        hidden = self.stage(
            "raw text", hidden_word_objective, examples, SETTINGS.pretraining_epochs, 0.0, HiddenWordPredictor
        )
        return [
            hidden,
            self.stage("trees", tree_objective, examples, SETTINGS.tree_epochs, AVERAGE, self.predictor),
        ]

    def links(self, name: str, examples: list[Example], epochs: int) -> Stage:
        """Return a stage that learns links beside trees."""
        objective = link_objective(TORCH, trees=SETTINGS.tree_weight)
        stage = self.stage(name, objective, examples, epochs, AVERAGE, self.predictor)
        return stage if name == "automatic" else replace(stage, scale_batches=False)

    def stage(
        self,
        name: str,
        objective: Objective,
        examples: Sequence[Example],
        epochs: int,
        average: float,
        extend: Callable[[EdgeNetwork], nn.Module],
    ) -> Stage:
        """Return a stage."""
        return Stage(
            name=name,
            objective=objective,
            examples=lambda: examples,
            epochs=epochs,
            learning_rate=SETTINGS.learning_rate,
            batch_size=SETTINGS.batch_size,
            scale_batches=True,
            average=average,
            extend=extend,
        )

    def predictor(self, model: EdgeNetwork) -> TreePredictor:
        """Return the layers that predict trees from a network, the same in all its stages."""
        if self._predictor is None or self._predictor.model is not model:
            self._predictor = TreePredictor(model, self.text.tree_labels)
        return self._predictor

    # Networks

    def network(self, kind: Kind, stored: str = "") -> EdgeNetwork:
        """Return a network on the GPU: a stored one, or one with initial vectors of words."""
        torch.manual_seed(kind.seed)
        model = EdgeNetwork(self.shape(kind), dropout=kind.dropout, word_dropout=SETTINGS.word_dropout)
        weights = {"word.weight": self.vectors}
        if stored:
            weights = dict(load_preorderer(self.work / stored).state.weights)
        with torch.no_grad():
            for name, weight in model.named_parameters():
                if name in weights:
                    weight.copy_(torch.from_numpy(weights[name]))
        model.to(training_device("auto"))
        return model

    def shape(self, kind: Kind) -> NetworkShape:
        """Return the sizes of a network."""
        return NetworkShape(
            words=len(self.text.vocabulary),
            buckets=self.text.vocabulary.buckets,
            languages=len(self.text.languages),
            word_size=WORD_SIZE,
            units=kind.units,
            layers=kind.layers,
            linked=1,
            labels=len(self.text.labels) + 1 if kind.labels else 0,
        )

    def run(self, model: EdgeNetwork, kind: Kind, stages: Sequence[Stage], name: str) -> None:
        """Train a network through stages, and store it."""
        batcher = Batcher(self.text.types, training_device("auto"))
        for stage in stages:
            run_stage(model, batcher, stage, seed=kind.seed, log=partial(self.log, name, stage.name))
        labels = self.text.labels if kind.labels else []
        description = {"shape": asdict(model.shape), "languages": self.text.languages, "labels": labels}
        facts = {"sentences": len(stages[-1].examples()), "seed": kind.seed, "network": description}
        settings = replace(
            SETTINGS, units=kind.units, layers=kind.layers, labels="arc" if kind.labels else "none"
        )
        arrays = {key: p.detach().cpu().numpy().astype(np.float16) for key, p in model.named_parameters()}
        arrays["words"] = pack_words(self.text.vocabulary.words)
        network = TrainedNetwork.restored(arrays, description)
        settings.fitted(network, facts).save(str(self.work / name))

    def log(self, name: str, stage: str, record: Mapping[str, Any]) -> None:
        """Print the progress of a network."""
        print(f"{name:14} {stage:9} {record['epoch']} {record['loss']:.4f} {record['seconds']} s", flush=True)


# Processes


class Job(NamedTuple):
    """One training: what makes the network of this name, and the networks that must be there before."""

    name: str
    needs: tuple[str, ...]
    function: Callable[..., None]
    arguments: tuple[Any, ...]


def jobs(laboratory: Laboratory, parts: Sequence[int]) -> list[Job]:
    """Return all trainings of some parts."""
    found = [Job(f"{name}-base", (), laboratory.base, (name,)) for name in KINDS]
    for part in parts:
        teachers = tuple(f"{name}-{part}" for name in TEACHERS)
        found += [
            Job(f"{name}-{part}", (f"{name}-base",), laboratory.teacher, (name, part)) for name in TEACHERS
        ]
        distilled, linked, small = f"small-distilled-{part}", f"small-linked-{part}", f"small-{part}"
        found += [
            Job(distilled, (*teachers, "small-base"), laboratory.distilled, (part,)),
            Job(linked, (distilled,), laboratory.refined, (linked, distilled, part, False)),
            Job(small, (linked,), laboratory.refined, (small, linked, part, True)),
        ]
    return found


def run_all(todo: Sequence[Job], work: Path, most: int) -> None:
    """Run the jobs whose networks are not stored yet, in processes of their own; an error in one ends all."""
    context = multiprocessing.get_context("fork")
    waiting = [job for job in todo if not (work / job.name).exists()]
    running: list[Any] = []
    while waiting or running:
        ready = [job for job in waiting if all((work / need).exists() for need in job.needs)]
        for job in ready[: most - len(running)]:
            waiting.remove(job)
            process = context.Process(target=job.function, args=job.arguments, daemon=True)
            process.start()
            running.append(process)
        if not running:
            raise SystemExit(f"{waiting[0].name} needs {', '.join(waiting[0].needs)}")
        time.sleep(0.2)
        if failed := [process for process in running if process.exitcode]:
            raise SystemExit(f"a training ended with exit code {failed[0].exitcode}")
        running = [process for process in running if process.is_alive()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train all networks that are not stored yet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, help="folder of the text and the networks")
    parser.add_argument("--parts", type=int, nargs="+", default=[-1], help="parts to leave out; -1: none")
    parser.add_argument("--jobs", type=int, default=6, help="networks that are trained at the same time")
    parser.add_argument("--limit", type=int, help="use only the first sentences of every file, for a trial")
    options = parser.parse_args(arguments)
    todo = jobs(Laboratory(options.work, limit=options.limit), options.parts)
    run_all(todo, options.work, options.jobs)


if __name__ == "__main__":
    main()
