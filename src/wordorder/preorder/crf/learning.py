"""Learning a network from aligned sentences: needs torch, the extra ``neural``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

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


def learn_network(
    settings: Mapping[str, Any],
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    training: Training,
) -> tuple[NeuralScorer, dict[str, Any]]:
    """A network and what is known of its training.

    Automatic links, if there are some, are learned from first. The words are those of all sentences and of
    raw text, which also gives them their first vectors. Sentences may have different target languages. The
    same for a seed, for any number of threads, on one kind of machine.
    """
    try:
        import torch
    except ImportError:
        raise BadSetting("training a network needs torch: pip install 'wordorder[neural]'") from None
    from wordorder.preorder.crf.network import Shape
    from wordorder.preorder.crf.training import Batcher, Stage, train

    automatic = training.automatic or ((), ())
    every = [*sources, *automatic[0]]
    if not any(len(one) > 1 for one in sources):
        raise BadSetting("no sentence of two words or more to learn from")
    languages = _languages(every, settings["language"])
    device = _device(training.device)
    texts = [one.words for one in every]
    least = 2 if sum(map(len, texts)) > 5000 else 1
    lexicon = Lexicon.of([*texts, *training.raw], least=least, most=WORDS, buckets=BUCKETS)
    types = Types.of(lexicon, (word for words in texts for word in words))
    sizes = {"units": settings["units"], "languages": max(1, len(languages))}
    shape = Shape(words=len(lexicon), buckets=BUCKETS, **sizes)
    vectors = word_vectors(lexicon, [*texts, *training.raw], shape.word_size) if training.raw else None
    facts: dict[str, Any] = {"sentences": len(sources), "seed": training.seed, "automatic": len(automatic[0])}
    facts["network"] = {"shape": asdict(shape), "languages": languages}
    rounds = [
        ("automatic", *automatic, settings["automatic_strength"], settings["automatic_epochs"]),
        ("manual", sources, alignments, settings["strength"], settings["epochs"]),
    ]
    key = training_key({**settings, "device": device}, sources, alignments, training)
    kept = load_checkpoint(training.checkpoint, key, ("random",)) if training.resume else None
    threads = torch.get_num_threads()
    # Torch adds up differently with other numbers of threads; the kernels, which take the most time, do not.
    torch.set_num_threads(1)
    try:
        torch.manual_seed(training.seed)
        model, loss, edges = _model(shape, settings, device, training.threads)
        if vectors is not None:
            with torch.no_grad():
                model.word.weight.copy_(torch.from_numpy(vectors))
        for number, (name, some, links, strength, passes) in enumerate(rounds):
            mine = kept if kept and kept[1]["round"] == number else None
            if not some or (kept and kept[1]["round"] > number):
                continue
            train(
                model,
                Batcher(types, device, edges=edges),
                _examples(types, some, links, languages, strength, settings),
                Stage(passes=passes, batch=settings["batch"], rate=settings["rate"], average=AVERAGE),
                seed=training.seed,
                loss=loss,
                log=partial(_tell, facts, training, name, passes),
                kept=mine,
                keep=partial(_keep, training.checkpoint, key, number, facts) if training.checkpoint else None,
            )
            facts["loss"] = facts.get("loss", mine[1]["loss"] if mine else None)
    finally:
        torch.set_num_threads(threads)
    arrays = {name: p.detach().cpu().numpy().astype(np.float16) for name, p in model.named_parameters()}
    network = Network.restored({**arrays, **lexicon.arrays()}, facts["network"])
    return NeuralScorer(network, settings["language"]), facts


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


def _model(shape: Any, settings: Mapping[str, Any], device: str, threads: int) -> tuple[Any, Any, Any]:
    """A network, its loss, and what lists edges for them: in C++ on a CPU, else in torch."""
    from wordorder.preorder.crf.charts import edges_of
    from wordorder.preorder.crf.network import EdgeScorer
    from wordorder.preorder.crf.ragged import RaggedScorer, no_edges, ragged_loss
    from wordorder.preorder.crf.training import forest_loss

    drop = {"dropout": settings["dropout"], "word_dropout": settings["forget"]}
    if device == "cpu":
        model = RaggedScorer(shape, **drop)
        model.threads = threads
        return model, partial(ragged_loss, canonical=settings["canonical"], threads=threads), no_edges
    if settings["canonical"]:
        raise BadSetting(f"canonical trees can be learned on a cpu only, not on {device}")
    return EdgeScorer(shape, **drop).to(device), forest_loss, edges_of


def _examples(
    types: Types,
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    languages: Sequence[str],
    strength: float,
    settings: Mapping[str, Any],
) -> list[Any]:
    from wordorder.preorder.crf.training import Example, pair_signs

    return [
        Example(
            types.encode(source.words),
            pair_signs(
                np.array(one.links, np.int64).reshape(-1, 2),
                len(source),
                settings["stay"],
                attach=settings["attach"],
            ),
            languages.index(source.target) if languages else 0,
            strength,
        )
        for source, one in zip(sources, alignments, strict=True)
        if len(source)
    ]


def _tell(
    facts: dict[str, Any], training: Training, name: str, passes: int, record: Mapping[str, Any]
) -> None:
    facts["loss"] = record["loss"]
    if training.log:
        told = {"iteration": record["pass"], "of": passes, "links": name, "loss": record["loss"]}
        training.log({**told, "seconds": record["seconds"]})


def _keep(folder: str, key: str, number: int, facts: Mapping[str, Any], state: Any) -> None:
    told = {**state.facts(), "round": number, "loss": facts.get("loss")}
    save_checkpoint(folder, key, state.arrays(), told)
