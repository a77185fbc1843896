"""Train the neural CRFs that come with wordorder-models.

    python -m experiments.shipped_models.networks FOLDER [--only en-ja-crf] [--out HOME] [--limit N] [--cards]

FOLDER holds parallel text with word alignments, one folder per set. Training needs torch, and takes hours
without a GPU. Several networks learn from all text except the test sets; one network learns from them and is
written, with a model card, to models/wordorder_models or to HOME; ``python -m tools.model_catalogue`` then
lists it. With ``--cards`` nothing is trained: the models of the package are scored as they are, and their
cards are written again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

from experiments.crf.sets import SETS, Data
from experiments.parallel import predict_orders
from experiments.shipped_models import NETWORKS as HOME
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.preorder import RunOptions, TrainingData, as_sources, load_preorderer
from wordorder.preorder.crf import NeuralCRF


@dataclass(frozen=True)
class NetworkRecipe:
    """How a network is trained, and what its card says."""

    title: str
    settings: NeuralCRF
    tests: tuple[tuple[str, bool, str], ...]  # set, whether its links are manual, target language
    sources: tuple[str, ...]
    use: str
    limits: str
    shipped: str  # how the weights that are shipped were made


EARLIER = (
    "This was done by an earlier version of the training script (`benchmarks/train_crf.py` of commit "
    "5e851c2), with scores of word pairs beside those of edges."
)
RECIPES = {
    "en-ja-crf": NetworkRecipe(
        title="English into the order of Japanese",
        settings=NeuralCRF(teachers=4, tune_min_gain=False),
        tests=((SETS["kftt"].test, True, "ja"),),
        sources=(
            "Kyoto Free Translation Task (NICT, from Wikipedia), CC BY-SA 3.0: manual word alignments (dev "
            "part), and sentences of its training part with automatic links.",
            "Tatoeba, CC BY 2.0 FR, and NTREX-128, CC BY-SA 4.0: automatic links.",
        ),
        use="wordorder preorder apply --model en-ja-crf --source FILE --as text",
        limits="The training text is an encyclopedia of Kyoto; dialogue and questions are out of domain.",
        shipped="Four networks were trained on 53,800 automatically linked pairs of KFTT, Tatoeba and NTREX, "
        "then on the manual links; one network was trained on the posteriors of all four, and briefly on the "
        f"manual links. {EARLIER} The temperature, 1.5, was chosen by the log loss of pairs on Parallel UD.",
    ),
}

CARD = """\
# {name}: {title}

A forest CRF whose edges are scored by a network (`neural-crf`); see docs/crf.md. Applying it requires neither
torch nor a GPU. Text should be tokenised, with punctuation separated from words; case does not matter.

    {use}

Signature: `{signature}`

## Data

{sources}

{sentences:,} sentences with manual links, {automatic:,} with automatic links. The model is available under
CC BY-SA 4.0; it does not contain the text itself.

## Figures

Unseen sentences; scores of top-down BTG, averaged over the sentences with a consistent order:

| | language | links | sentences | no reordering: tau | FRS | {name}: tau | FRS |
|---|---|---|---|---|---|---|---|
{rows}

{limits}

## Training

{made}
"""
AGAIN = (
    "`python -m experiments.shipped_models.networks FOLDER` trains it. On a GPU, results are not "
    "bit-identical, because the order of summation varies."
)


def training_data(data: Data) -> TrainingData:
    """Read the training data of a network."""
    automatic = data.automatic("kftt", "neural")
    return TrainingData(*data.training("kftt", 0), automatic=automatic, raw=as_sources(data.raw("kftt")))


def print_record(record: dict[str, Any]) -> None:
    """Print the progress of training."""
    print(record, flush=True)


def row(fitted: NeuralCRF, data: Data, test: str, manual: bool, target: str) -> str:
    """Score a network on a set; returns a row of its card."""
    corpus = data.read(test, manual=manual)
    if fitted.trained["network"]["languages"]:
        corpus = corpus.for_target(target)
    orders = {"model": predict_orders(fitted, corpus.sources)}
    (scored,) = evaluate_orders(corpus.alignments, orders, variants=("nakagawa",), samples=0).variants
    cells = [
        f"{scored.cells[system][score].score:.4f}"
        for system in ("identity", "model")
        for score in ("tau", "frs")
    ]
    links = "manual" if manual else "automatic"
    return " | ".join([f"| {test}", target, links, str(scored.used), *cells]) + " |"


def write(name: str, fitted: NeuralCRF, data: Data, home: Path, made: str) -> None:
    """Score a model, and write it with its card."""
    recipe = RECIPES[name]
    rows = "\n".join(row(fitted, data, *test) for test in recipe.tests)
    print(rows, flush=True)
    card = CARD.format(
        name=name,
        title=recipe.title,
        use=recipe.use,
        signature=fitted.signature,
        sources="\n".join(fill(f"- {source}", 110, subsequent_indent="  ") for source in recipe.sources),
        sentences=fitted.trained["sentences"],
        automatic=fitted.trained["automatic"],
        rows=rows,
        limits=fill(recipe.limits, 110),
        made=fill(made, 110),
    )
    fitted.save(str(home / name), card=card)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the requested models."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(RECIPES), help="models to make")
    parser.add_argument("--out", type=Path, default=HOME, help="folder of the models")
    parser.add_argument("--cards", action="store_true", help="train nothing, and write the cards again")
    parser.add_argument("--limit", type=int, help="use only the first sentences of every file, for a trial")
    options = parser.parse_args(arguments)
    data = Data(options.folder, options.limit)
    for name in options.only.split(","):
        recipe = RECIPES[name]
        if options.cards:
            fitted, made = load_preorderer(str(HOME / name)), recipe.shipped
            assert isinstance(fitted, NeuralCRF)
        else:
            run = RunOptions(log=print_record, threads=2)
            fitted, made = recipe.settings.fit(training_data(data), run), AGAIN
        write(name, fitted, data, options.out, made)


if __name__ == "__main__":
    main()
