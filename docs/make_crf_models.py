"""Train the networks that come with the package.

    python docs/make_crf_models.py FOLDER [--only en-ja-crf] [--out HOME] [--limit N] [--cards]

FOLDER holds parallel text with word alignments, a folder for each set. Needs torch, and a GPU if it is not to
take hours. Several networks learn from all text but what is tested; one learns from them and is written,
with a card, into the package's data or into HOME. With ``--cards`` nothing is trained: the models of the
package are scored as they are, and their cards written anew.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import fill
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from crf_jobs import FEWER
from crf_sets import SETS, Corpus, Data

from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.preorder import Training, load_model
from wordorder.preorder.crf import ForestCRF

HOME = Path(__file__).resolve().parents[1] / "src" / "wordorder" / "data" / "preorder"


@dataclass(frozen=True)
class Recipe:
    """What a network is for, and what it is tested on: set, its links are manual, target language."""

    title: str
    settings: ForestCRF
    tests: tuple[tuple[str, bool, str], ...]
    sources: tuple[str, ...]
    use: str
    limits: str
    shipped: str  # how the weights were made that are in the package


EARLIER = (
    "That was done by an earlier form of this script (`benchmarks/train_crf.py` of commit 5e851c2), with "
    "scores of pairs of words beside those of edges."
)
RECIPES = {
    "en-ja-crf": Recipe(
        title="English into the order of Japanese",
        settings=ForestCRF(kind="neural", teachers=4, careful=False),
        tests=((SETS["kftt"].test, True, "ja"),),
        sources=(
            "Kyoto Free Translation Task (NICT, from Wikipedia), CC BY-SA 3.0: manual word alignments (dev "
            "part), and sentences of its training part with automatic links.",
            "Tatoeba, CC BY 2.0 FR, and NTREX-128, CC BY-SA 4.0: automatic links.",
        ),
        use="wordorder preorder apply --model en-ja-crf --source FILE --output text",
        limits="Learned from an encyclopedia of Kyoto: dialogue and questions are new to it.",
        shipped="Four networks learned from 53,800 automatically linked pairs of KFTT, Tatoeba and "
        "NTREX, then from the manual links; one network learned from all four, and a "
        f"little more from the manual links. {EARLIER} Its temperature, 1.5, was chosen by the log loss of "
        "pairs on Parallel UD.",
    ),
    "en-multi-crf": Recipe(
        title="English into the order of Hindi, Japanese, Korean, Turkish or Chinese",
        settings=ForestCRF(kind="neural", teachers=2, careful=False, **FEWER),
        tests=(
            ("bible-entr/en-tr/dev", True, "tr"),
            (SETS["atis"].test, False, "tr"),
            ("wpt05-enhi/en-hi/dev", True, "hi"),
            ("tsinghua-enzh/en-zh/dev", True, "zh"),
        ),
        sources=(
            "Parallel Universal Dependencies, CC BY-SA 3.0, with manual links of Nikolaev et al. (2020) for "
            "Japanese, Korean and Chinese.",
            "Kyoto Free Translation Task (NICT, from Wikipedia), CC BY-SA 3.0: as for en-ja-crf.",
            "Tatoeba, CC BY 2.0 FR; NTREX-128, CC BY-SA 4.0; UD English-ATIS and Turkish-ATIS, CC BY-SA 4.0: "
            "automatic links.",
        ),
        use="wordorder preorder apply --model en-multi-crf --set language=ko --source FILE --output text",
        limits="Turkish and Hindi were learned from automatic links alone, Chinese from the "
        "least text. How well such a network does on "
        "Parallel UD is in docs/crf.md, by cross-validation (*five languages at once*): this one has seen "
        "all of that.",
        shipped="Three networks learned from automatic links of all five languages, then from the manual "
        "ones of KFTT and Parallel UD; one network learned from all three. KFTT has the tag `ja` here, as "
        f"the treebank has; the English words of ATIS were known, its links were not. {EARLIER}",
    ),
}

CARD = """\
# {name}: {title}

A forest CRF whose edges a network scores; see docs/crf.md. Applying it needs no torch and no GPU. Text should
be tokenised, punctuation apart from words; case does not matter.

    {use}

Signature: `{signature}`

## Data

{sources}

{sentences:,} sentences with manual links, {automatic:,} with automatic ones. The model is made available
under CC BY-SA 4.0; the text itself is not part of it.

## Figures

Sentences that it has not seen; measures of top-down BTG, macro means over the sentences with a consistent
order:

| | language | links | sentences | as it stands: tau | FRS | {name}: tau | FRS |
|---|---|---|---|---|---|---|---|
{rows}

{limits}

## Making it

{made}
"""
AGAIN = (
    "`python docs/make_crf_models.py FOLDER` trains it. On a GPU sums come in another order each time, so "
    "not to the same bits."
)


def corpora(name: str, data: Data) -> tuple[Corpus, Training]:
    """What is learned from."""
    if name == "en-multi-crf":
        manual, automatic = data.several(-1)
        return manual, Training(automatic=(*automatic,), log=tell, threads=2)
    automatic = data.automatic("kftt", "neural")
    return data.learned_from("kftt", 0), Training(
        automatic=(*automatic,), raw=data.raw("kftt"), log=tell, threads=2
    )


def tell(record: dict[str, Any]) -> None:
    """Show how far it is."""
    print(record, flush=True)


def row(fitted: ForestCRF, data: Data, test: str, manual: bool, target: str) -> str:
    """The scores on a set."""
    sources, alignments = data.read(test, manual=manual)
    known = fitted.trained["network"]["languages"]
    orders = fitted.reorder([replace(one, target=target if known else "") for one in sources])
    scored = evaluate_orders(alignments, {"it": orders}, variants=("nakagawa",), samples=0).variants[0]
    cells = [f"{scored.cells[who][x].score:.4f}" for who in ("identity", "it") for x in ("tau", "frs")]
    links = "manual" if manual else "automatic"
    return " | ".join([f"| {test}", target, links, str(scored.used), *cells]) + " |"


def write(name: str, fitted: ForestCRF, data: Data, home: Path, made: str) -> None:
    """Score a model and write it with its card."""
    recipe = RECIPES[name]
    rows = "\n".join(row(fitted, data, *test) for test in recipe.tests)
    print(rows, flush=True)
    card = CARD.format(
        name=name,
        title=recipe.title,
        use=recipe.use,
        signature=fitted.signature,
        sources="\n".join(fill(f"- {one}", 110, subsequent_indent="  ") for one in recipe.sources),
        sentences=fitted.trained["sentences"],
        automatic=fitted.trained["automatic"],
        rows=rows,
        limits=fill(recipe.limits, 110),
        made=fill(made, 110),
    )
    fitted.save(str(home / name), card=card)


def main() -> None:
    """Make the models that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(RECIPES))
    parser.add_argument("--out", type=Path, default=HOME)
    parser.add_argument("--cards", action="store_true", help="train nothing, write the cards anew")
    parser.add_argument("--limit", type=int, help="first sentences of all text, to try things out")
    given = parser.parse_args()
    data = Data(given.folder, given.limit)
    for name in given.only.split(","):
        recipe = RECIPES[name]
        if given.cards:
            fitted, made = load_model(str(HOME / name)), recipe.shipped
            assert isinstance(fitted, ForestCRF)
        else:
            manual, training = corpora(name, data)
            fitted, made = recipe.settings.fit(*manual, training=training), AGAIN
        write(name, fitted, data, given.out, made)


if __name__ == "__main__":
    main()
