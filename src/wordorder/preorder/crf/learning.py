"""Learning a network from aligned sentences: needs torch, the extra ``neural``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting
from wordorder.preorder.base import Source, Training
from wordorder.preorder.crf.lexicon import Lexicon, Types
from wordorder.preorder.crf.neural import Network, NeuralScorer

WORDS, BUCKETS = 12_000, 8192
PASSES, AUTOMATIC_PASSES = 15, 3  # a network needs more than features do
STAY = 0.03


def learn_network(
    settings: Mapping[str, Any],
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    training: Training,
) -> tuple[NeuralScorer, dict[str, Any]]:
    """A network and what is known of its training.

    Automatic links, if there are some, are learned from first. The words are those of all sentences and of
    raw text. Repeatable for a seed on one kind of machine.
    """
    try:
        import torch

        from wordorder.preorder.crf.network import EdgeScorer, Shape
        from wordorder.preorder.crf.training import Batcher, Example, Stage, pair_signs, train
    except ImportError:
        raise BadSetting("training a network needs torch: pip install 'wordorder[neural]'") from None

    automatic = training.automatic or ((), ())
    if not any(len(one) > 1 for one in sources):
        raise BadSetting("no sentence of two words or more to learn from")
    texts = [one.words for one in (*sources, *automatic[0])]
    least = 2 if sum(map(len, texts)) > 5000 else 1
    lexicon = Lexicon.of([*texts, *training.raw], least=least, most=WORDS, buckets=BUCKETS)
    types = Types.of(lexicon, (word for words in texts for word in words))

    def examples(some: Sequence[Source], links: Sequence[Alignment], strength: float) -> list[Example]:
        return [
            Example(
                types.encode(source.words),
                pair_signs(np.array(one.links, np.int64).reshape(-1, 2), len(source), STAY),
                0,
                strength,
            )
            for source, one in zip(some, links, strict=True)
            if len(source)
        ]

    torch.manual_seed(training.seed)
    model = EdgeScorer(Shape(words=len(lexicon), buckets=BUCKETS))
    batcher = Batcher(types, "cpu")
    facts: dict[str, Any] = {"sentences": len(sources), "seed": training.seed, "automatic": len(automatic[0])}
    rounds = [
        ("automatic", examples(*automatic, settings["automatic_strength"]), AUTOMATIC_PASSES),
        ("manual", examples(sources, alignments, settings["strength"]), PASSES),
    ]
    for name, some, passes in rounds:
        if not some:
            continue

        def log(record: dict[str, Any], name: str = name) -> None:
            facts["loss"] = record["loss"]
            if training.log:
                told = {"iteration": record["pass"], "links": name, "loss": record["loss"]}
                training.log({**told, "seconds": record["seconds"]})

        train(model, batcher, some, Stage(passes=passes, batch=16, average=0.98), seed=training.seed, log=log)
    arrays = {name: p.detach().numpy().astype(np.float16) for name, p in model.named_parameters()}
    facts["network"] = {"shape": asdict(model.shape), "languages": []}
    return NeuralScorer(Network.restored({**arrays, **lexicon.arrays()}, facts["network"])), facts
