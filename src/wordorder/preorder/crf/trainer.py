"""Training a network from aligned sentences; needs torch, the extra ``neural``.

A network is trained in stages: predicting hidden words of raw text, then dependency trees, then automatic
links, then manual links. With teachers, each of these is trained like this with its own seed, and the final
network learns from all text, with and without links, which trees the teachers find probable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from wordorder.arrays import Floats
from wordorder.errors import BadSetting
from wordorder.neural.device import training_device
from wordorder.neural.words import pack_words, word_vectors
from wordorder.preorder.base import Arrays
from wordorder.preorder.checkpoints import load_checkpoint, save_checkpoint, training_key
from wordorder.preorder.crf.examples import TrainingText
from wordorder.preorder.crf.inside_cpp import cpp_backend
from wordorder.preorder.crf.network import NetworkShape, TrainedNetwork
from wordorder.preorder.crf.network_torch import EdgeNetwork
from wordorder.preorder.crf.objectives import (
    TORCH,
    Backend,
    HiddenWordPredictor,
    TreePredictor,
    hidden_word_objective,
    link_objective,
    teacher_objective,
    tree_objective,
)
from wordorder.preorder.crf.training_loop import Batcher, Stage, TrainingState, run_stage
from wordorder.preorder.training import RunOptions, TrainingData

if TYPE_CHECKING:
    from wordorder.preorder.crf.neural_crf import NeuralCRF

AVERAGE = 0.98  # decay of the running mean of weights
# The student learns from targets without noise and from much text.
STUDENT_DROPOUT, STUDENT_AVERAGE, STUDENT_SENTENCES = 0.2, 0.999, 60_000


def train_network(
    settings: NeuralCRF, data: TrainingData, run: RunOptions
) -> tuple[TrainedNetwork, dict[str, Any]]:
    """Train a network; also return facts about the training.

    The result depends on the seed and the kind of machine, but not on the number of threads.
    """
    if not any(len(source) > 1 for source in data.sources):
        raise BadSetting("no training sentence has two words or more")
    text = TrainingText(settings, data)
    trainer = Trainer(settings, text, data, run)
    threads = torch.get_num_threads()
    # The sums of torch depend on its number of threads; those of the C++ code, which takes most time, do not.
    torch.set_num_threads(1)
    try:
        model = trainer.train()
    finally:
        torch.set_num_threads(threads)
    arrays: Arrays = {name: array.astype(np.float16) for name, array in _weights(model).items()}
    arrays["words"] = pack_words(text.vocabulary.words)
    return TrainedNetwork.restored(arrays, trainer.facts["network"]), trainer.facts


class Trainer:
    """Trains one network or several, with checkpoints."""

    def __init__(self, settings: NeuralCRF, text: TrainingText, data: TrainingData, run: RunOptions) -> None:
        self.settings, self.text, self.run = settings, text, run
        self.device = training_device(run.device)
        self.backend = _backend(self.device, run.threads, canonical=settings.canonical)
        self.batcher = Batcher(text.types, self.device, edges=self.backend.edges)
        self.shape = _shape(settings, text)
        self.initial = _initial_weights(text, self.shape)
        description = {"shape": asdict(self.shape), "languages": text.languages, "labels": text.labels}
        self.facts: dict[str, Any] = {
            "sentences": len(text.manual[0]),
            "seed": run.seed,
            "automatic": len(text.automatic[0]),
            "raw": len(text.raw),
            "network": description,
        }
        if text.start:
            self.facts["start"] = data.start.signature
        self.key = training_key({**settings.training_settings, "device": self.device}, data, run.seed)
        self.checkpoint = load_checkpoint(run.checkpoint, self.key, ("random",)) if run.resume else None
        self._predictor: TreePredictor | None = None
        self.reached = (0, -1)  # the network and the stage of the checkpoint
        if self.checkpoint:
            progress = self.checkpoint[1]
            self.reached = (progress["network"], progress["stage"])
            self.facts["loss"] = progress["loss"]

    def train(self) -> EdgeNetwork:
        """Train the network, or its teachers and then the network."""
        count = self.settings.teachers
        if not count:
            return self.network(0, self.run.seed, self.stages())
        teachers = [self.teacher(number) for number in range(count)]
        distillation = self._stage(
            name="teachers",
            objective=teacher_objective(self.backend, teachers, trees=self.tree_weight),
            extend=self.extension,
            # Teachers with labels have not learned anything about words without labels.
            examples=partial(self.text.unlinked, STUDENT_SENTENCES, raw=not self.text.labels),
            epochs=self.settings.automatic_epochs,
            average=STUDENT_AVERAGE,
        )
        return self.network(
            count, self.run.seed, [*self.pretraining(), distillation], dropout=STUDENT_DROPOUT
        )

    # Stages

    def stages(self) -> list[Stage]:
        """Return the stages of a network without teachers."""
        settings, text = self.settings, self.text
        objective = link_objective(self.backend, trees=self.tree_weight)
        manual = self._stage(
            name="manual",
            objective=objective,
            examples=partial(text.linked, text.manual, settings.strength, manual=True),
            epochs=settings.epochs,
            scale_batches=False,
            extend=self.extension,
        )
        automatic = self._stage(
            name="automatic",
            objective=objective,
            examples=partial(text.linked, text.automatic, settings.automatic_strength, manual=False),
            epochs=settings.automatic_epochs,
            extend=self.extension,
        )
        return [*self.pretraining(), *([automatic] if text.automatic[0] else []), manual]

    def pretraining(self) -> list[Stage]:
        """Return the stages before links: hidden words, if there is more text than links, and trees."""
        stages = []
        if self.settings.pretraining_epochs and self.text.has_more_text:
            stages.append(
                self._stage(
                    name="raw text",
                    objective=hidden_word_objective,
                    examples=self.text.unlinked,
                    epochs=self.settings.pretraining_epochs,
                    average=0.0,
                    extend=HiddenWordPredictor,
                )
            )
        if self.settings.learns_trees:
            stages.append(
                self._stage(
                    name="trees",
                    objective=tree_objective,
                    examples=self.text.unlinked,
                    epochs=self.settings.tree_epochs,
                    extend=self.tree_predictor,
                )
            )
        return stages

    @property
    def tree_weight(self) -> float:
        """The weight of trees beside links; 0 if there are none to learn."""
        return self.settings.tree_weight if self.settings.learns_trees else 0.0

    @property
    def extension(self) -> Callable[[EdgeNetwork], nn.Module] | None:
        """What a network is extended by in stages that learn links and trees."""
        return self.tree_predictor if self.tree_weight else None

    def tree_predictor(self, model: EdgeNetwork) -> TreePredictor:
        """Return the layers that predict trees from a network, the same in all its stages."""
        if self._predictor is None or self._predictor.model is not model:
            self._predictor = TreePredictor(model, self.text.tree_labels)
        return self._predictor

    def _stage(self, **changes: Any) -> Stage:
        defaults = {
            "learning_rate": self.settings.learning_rate,
            "batch_size": self.settings.batch_size,
            "scale_batches": True,
            "average": AVERAGE,
            "extend": None,
        }
        return Stage(**{**defaults, **changes})

    # Networks

    def network(
        self, number: int, seed: int, stages: Sequence[Stage], *, dropout: float | None = None
    ) -> EdgeNetwork:
        """Train a network through all its stages; those before the checkpoint are skipped."""
        model = self.new_network(seed, dropout)
        for index, stage in enumerate(stages):
            place = (number, index)
            if place < self.reached:
                continue
            run_stage(
                model,
                self.batcher,
                stage,
                seed=seed,
                log=partial(self._log, number, stage),
                checkpoint=self.checkpoint if place == self.reached else None,
                on_epoch=partial(self._save, place) if self.run.checkpoint else None,
            )
        return model

    def new_network(self, seed: int, dropout: float | None = None) -> EdgeNetwork:
        """Return a network with initial vectors of words, or with all weights of that to go on from."""
        torch.manual_seed(seed)
        model = self.backend.network(
            self.shape,
            dropout=self.settings.dropout if dropout is None else dropout,
            word_dropout=self.settings.word_dropout,
        )
        model.threads = self.run.threads
        with torch.no_grad():
            for name, weight in model.named_parameters():
                if name in self.initial:
                    weight.copy_(torch.from_numpy(self.initial[name]))
        return model.to(self.device)

    def teacher(self, number: int) -> EdgeNetwork:
        """Return a network trained on links; finished teachers are stored beside the checkpoint."""
        seed, name = 1000 * self.run.seed + number, f"teacher-{number + 1}.safetensors"
        folder = self.run.checkpoint
        if number >= self.reached[0]:
            model = self.network(number, seed, self.stages())
            if folder:
                save_checkpoint(folder, self.key, _weights(model), {}, name=name)
            return model.eval()
        model = self.new_network(seed)
        names = [name for name, _ in model.named_parameters()]
        stored = load_checkpoint(folder, self.key, names, name=name)
        if stored is None:
            raise BadSetting(f"{folder} has no {name}; train without resuming")
        model.load_state_dict({key: torch.from_numpy(array) for key, array in stored[0].items()})
        return model.eval()

    def _log(self, number: int, stage: Stage, record: Mapping[str, Any]) -> None:
        self.facts["loss"] = record["loss"]
        if self.run.log:
            line = {"iteration": record["epoch"], "of": stage.epochs, "round": stage.name}
            network = {"network": number + 1} if self.settings.teachers else {}
            self.run.log({**line, "loss": record["loss"], **network, "seconds": record["seconds"]})

    def _save(self, place: tuple[int, int], state: TrainingState) -> None:
        facts = {**state.facts(), "network": place[0], "stage": place[1], "loss": self.facts["loss"]}
        save_checkpoint(str(self.run.checkpoint), self.key, state.arrays(), facts)


def _shape(settings: NeuralCRF, text: TrainingText) -> NetworkShape:
    """Return the sizes of a new network, which must be those of the network to go on from, if any."""
    shape = NetworkShape(
        words=len(text.vocabulary),
        buckets=text.vocabulary.buckets,
        languages=max(1, len(text.languages)),
        labels=len(text.labels) + 1 if text.labels else 0,
        units=settings.units,
        layers=settings.layers,
        pair_size=settings.pair_size,
        linked=int(settings.predict_linked),
    )
    start = asdict(text.start.shape) if text.start else asdict(shape)
    for name, size in asdict(shape).items():
        if start[name] != size:
            raise BadSetting(f"the network to go on from has {name} {start[name]}; expected {size}")
    return shape


def _initial_weights(text: TrainingText, shape: NetworkShape) -> Mapping[str, Floats]:
    """Return the weights that are known before training: all of a network to go on from, or word vectors."""
    if text.start:
        return text.start.weights
    return {"word.weight": word_vectors(text.vocabulary, text.sentences, shape.word_size)}


def _weights(model: EdgeNetwork) -> Arrays:
    return {name: p.detach().cpu().numpy() for name, p in model.named_parameters()}


def _backend(device: str, threads: int, *, canonical: bool) -> Backend:
    """Return C++ on a CPU, torch elsewhere."""
    if device == "cpu":
        return cpp_backend(canonical=canonical, threads=threads)
    if canonical:
        raise BadSetting(f"canonical trees can be learned on a cpu only, not on {device}")
    return TORCH
