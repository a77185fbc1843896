"""Learning a network from aligned sentences: needs torch, the extra ``neural``.

A network learns in rounds: from hidden words of raw text, from automatic links, from the links that are
trusted. If it is to have teachers, these do so instead, each with a seed of its own, and then the network
learns from all text, with and without links, what trees they think likely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting
from wordorder.preorder.base import Source, Training
from wordorder.preorder.checkpoints import load_checkpoint, save_checkpoint, training_key
from wordorder.preorder.crf.lexicon import Lexicon, Types
from wordorder.preorder.crf.neural import Network, NeuralScorer
from wordorder.preorder.crf.vectors import word_vectors

WORDS, BUCKETS = 12_000, 8192
AVERAGE = 0.98  # decay of the mean of weights
# A student sees targets that are not noisy, and a lot of text.
STUDENT_DROPOUT, STUDENT_AVERAGE, STUDENT_TEXT = 0.2, 0.999, 60_000
WIDEST, STEPS = 8, 200  # how many times larger batches of much text are at most, and steps that must remain
READ, AUTOMATIC, MANUAL, TAUGHT = "raw text", "automatic", "manual", "teachers"


def learn_network(
    settings: Mapping[str, Any],
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    training: Training,
) -> tuple[NeuralScorer, dict[str, Any]]:
    """A network and what is known of its training.

    The words are those of all sentences and of raw text, which also gives them their first vectors. Sentences
    may have different target languages. The same for a seed, for any number of threads, on one kind of
    machine.
    """
    try:
        import torch
    except ImportError:
        raise BadSetting("training a network needs torch: pip install 'wordorder[neural]'") from None

    if not any(len(one) > 1 for one in sources):
        raise BadSetting("no sentence of two words or more to learn from")
    school = School(settings, sources, alignments, training)
    threads = torch.get_num_threads()
    # Torch adds up differently with other numbers of threads; the kernels, which take the most time, do not.
    torch.set_num_threads(1)
    try:
        model = school.learn()
    finally:
        torch.set_num_threads(threads)
    arrays = {name: p.detach().cpu().numpy().astype(np.float16) for name, p in model.named_parameters()}
    network = Network.restored({**arrays, **school.lexicon.arrays()}, school.facts["network"])
    return NeuralScorer(network, settings["language"]), school.facts


class Round(NamedTuple):
    """Passes over some text."""

    name: str
    examples: Callable[[], list[Any]]
    passes: int
    average: float = AVERAGE


@dataclass
class School:
    """Everything that the networks of one training share."""

    settings: Mapping[str, Any]
    sources: Sequence[Source]
    alignments: Sequence[Alignment]
    training: Training
    facts: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        automatic = self.training.automatic or ((), ())
        every = [*self.sources, *automatic[0]]
        self.languages = _languages(every, self.settings["language"])
        self.device = _device(self.training.device)
        texts = [one.words for one in every]
        self.text = [*texts, *self.training.raw]
        least = 2 if sum(map(len, texts)) > 5000 else 1
        self.lexicon = Lexicon.of(self.text, least=least, most=WORDS, buckets=BUCKETS)
        self.types = Types.of(self.lexicon, (word for words in self.text for word in words))
        self.backend = _backend(self.settings, self.device, self.training.threads)
        known = {"sentences": len(self.sources), "seed": self.training.seed, "automatic": len(automatic[0])}
        self.facts |= {**known, "raw": len(self.training.raw)}
        self.facts["network"] = {"shape": asdict(self.shape), "languages": self.languages}
        key = {**self.settings, "device": self.device}
        self.key = training_key(key, self.sources, self.alignments, self.training)

    @cached_property
    def shape(self) -> Any:
        """The sizes of all networks."""
        from wordorder.preorder.crf.network import Shape

        sizes = {"units": self.settings["units"], "languages": max(1, len(self.languages))}
        return Shape(words=len(self.lexicon), buckets=BUCKETS, **sizes)

    @cached_property
    def vectors(self) -> Any:
        """First vectors of words, if there is raw text to make them of."""
        return word_vectors(self.lexicon, self.text, self.shape.word_size) if self.training.raw else None

    # What there is to learn from

    def linked(
        self, strength: float, sources: Sequence[Source], alignments: Sequence[Alignment]
    ) -> list[Any]:
        """Sentences with links, as examples."""
        from wordorder.preorder.crf.training import Example, pair_signs

        stay, attach = self.settings["stay"], self.settings["attach"]
        return [
            Example(
                self.types.encode(source.words),
                pair_signs(np.array(one.links, np.int64).reshape(-1, 2), len(source), stay, attach=attach),
                self.languages.index(source.target) if self.languages else 0,
                strength,
            )
            for source, one in zip(sources, alignments, strict=True)
            if len(source)
        ]

    def unlinked(self, most: int | None = None) -> list[Any]:
        """All text, without its links; what has no target language is given to all in turn."""
        from wordorder.preorder.crf.training import Example

        automatic = self.training.automatic or ((), ())
        targets = [one.target for one in (*self.sources, *automatic[0])]
        many = max(1, len(self.languages))
        made = []
        for s, words in enumerate(self.text):
            told = s < len(targets) and self.languages
            tag = self.languages.index(targets[s]) if told else s % many
            none = np.zeros((len(words), len(words)), np.float16)
            if words:
                made.append(Example(self.types.encode(words), none, tag, 0.0))
        linked = len(self.sources)
        step = max(1, -(-(len(made) - linked) // most)) if most else 1
        return [*made[:linked], *made[linked::step]]

    def rounds(self) -> list[Round]:
        """What a network learns on its own."""
        settings, training = self.settings, self.training
        made = []
        if training.raw and settings["reading"]:
            made.append(Round(READ, self.unlinked, settings["reading"], 0.0))
        if training.automatic and training.automatic[0]:
            some = partial(self.linked, settings["automatic_strength"], *training.automatic)
            made.append(Round(AUTOMATIC, some, settings["automatic_epochs"]))
        own = partial(self.linked, settings["strength"], self.sources, self.alignments)
        return [*made, Round(MANUAL, own, settings["epochs"])]

    # Learning

    def learn(self) -> Any:
        """The network, taught by others if the settings say so."""
        kept = None
        if self.training.resume:
            kept = load_checkpoint(self.training.checkpoint, self.key, ("random",))
            self.facts |= {"loss": kept[1]["loss"]} if kept else {}
        seed, many = self.training.seed, self.settings["teachers"]
        if not many:
            return self.network(0, seed, self.rounds(), kept)
        teachers = [self.network(t, 1000 * seed + t, self.rounds(), kept) for t in range(many)]
        read = [one for one in self.rounds() if one.name == READ]
        text = partial(self.unlinked, STUDENT_TEXT)
        taught = Round(TAUGHT, text, self.settings["automatic_epochs"], STUDENT_AVERAGE)
        return self.network(many, seed, [*read, taught], kept, teachers)

    def network(
        self, number: int, seed: int, rounds: Sequence[Round], kept: Any, teachers: Sequence[Any] = ()
    ) -> Any:
        """One network after all its rounds; those that were kept are not done again."""
        import torch

        from wordorder.preorder.crf import objectives
        from wordorder.preorder.crf.training import Batcher, Stage, train

        torch.manual_seed(seed)
        drop = STUDENT_DROPOUT if teachers else self.settings["dropout"]
        model = self.backend.scorer(self.shape, dropout=drop, word_dropout=self.settings["forget"])
        model.threads = self.training.threads
        if self.vectors is not None:
            with torch.no_grad():
                model.word.weight.copy_(torch.from_numpy(self.vectors))
        model.to(self.device)
        if kept and kept[1]["network"] > number:
            return self._finished(model, number)
        ways = {
            READ: objectives.hidden_words,
            TAUGHT: objectives.teachers(self.backend, teachers),
        }
        batcher = Batcher(self.types, self.device, edges=self.backend.edges)
        for at, (name, text, passes, average) in enumerate(rounds):
            place = (number, at)
            reached = (kept[1]["network"], kept[1]["round"]) if kept else (0, -1)
            if reached > place:
                continue
            examples = text()
            learner = objectives.Guesser(model).to(self.device) if name == READ else model
            train(
                learner,
                batcher,
                examples,
                Stage(
                    passes=passes,
                    batch=self._batch(len(examples)) if name != MANUAL else self.settings["batch"],
                    rate=self.settings["rate"],
                    average=average,
                ),
                ways.get(name, objectives.links(self.backend)),
                seed=seed,
                log=partial(self._tell, number, name, passes),
                kept=kept if reached == place else None,
                keep=partial(self._keep, place) if self.training.checkpoint else None,
            )
        if teachers or not self.settings["teachers"]:
            return model
        if self.training.checkpoint:
            arrays = {name: p.detach().cpu().numpy() for name, p in model.named_parameters()}
            save_checkpoint(self.training.checkpoint, self.key, arrays, {}, name=_teacher(number))
        return model.eval()

    def _batch(self, sentences: int) -> int:
        """Much text is read in larger batches."""
        one: int = self.settings["batch"]
        return min(WIDEST * one, max(one, sentences // STEPS))

    def _finished(self, model: Any, number: int) -> Any:
        """A teacher as it was kept."""
        import torch

        names = [name for name, _ in model.named_parameters()]
        kept = load_checkpoint(self.training.checkpoint, self.key, names, name=_teacher(number))
        if kept is None:
            raise BadSetting(f"{self.training.checkpoint} has no {_teacher(number)}; train without resuming")
        with torch.no_grad():
            for name, p in model.named_parameters():
                p.copy_(torch.from_numpy(kept[0][name]))
        return model.eval()

    def _tell(self, number: int, name: str, passes: int, record: Mapping[str, Any]) -> None:
        self.facts["loss"] = record["loss"]
        if self.training.log:
            told = {"iteration": record["pass"], "of": passes, "links": name, "loss": record["loss"]}
            of = {"network": number + 1} if self.settings["teachers"] else {}
            self.training.log({**told, **of, "seconds": record["seconds"]})

    def _keep(self, place: tuple[int, int], state: Any) -> None:
        told = {**state.facts(), "network": place[0], "round": place[1], "loss": self.facts["loss"]}
        save_checkpoint(str(self.training.checkpoint), self.key, state.arrays(), told)


def _teacher(number: int) -> str:
    return f"teacher-{number + 1}.safetensors"


def _languages(sources: Sequence[Source], wanted: str) -> list[str]:
    """The target languages, if there are several."""
    names = sorted({one.target for one in sources})
    if len(names) > 1 and not names[0]:
        raise BadSetting(f"some sentences have a target language ({', '.join(names[1:])}), others have none")
    if len(names) > 1 and wanted not in ("any", *names):
        raise BadSetting(f"language is {wanted!r}; the sentences have {', '.join(names)}")
    return names if len(names) > 1 else []


def _device(wanted: str) -> str:
    import torch

    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=wanted)
    except (RuntimeError, AssertionError) as error:
        raise BadSetting(f"training: device is {wanted!r}: {str(error).splitlines()[0]}") from None
    return wanted


def _backend(settings: Mapping[str, Any], device: str, threads: int) -> Any:
    """What scores and sums: C++ on a CPU, else torch."""
    from wordorder.preorder.crf.objectives import TORCH
    from wordorder.preorder.crf.ragged import ragged_backend

    if device == "cpu":
        return ragged_backend(canonical=settings["canonical"], threads=threads)
    if settings["canonical"]:
        raise BadSetting(f"canonical trees can be learned on a cpu only, not on {device}")
    return TORCH
