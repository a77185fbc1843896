"""Train the networks that come with the package.

    python docs/make_crf_models.py FOLDER [--only en-ja-crf] [--out HOME] [--limit N]

FOLDER holds parallel text with word alignments, a folder for each set. Needs torch, and a GPU if it is not to
take hours. Several networks learn from all text but what is tested; one learns from them and is written,
with a card, into the package's data or into HOME.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from crf_sets import SETS, Corpus, Data

from wordorder.evaluate.preordering import evaluate_orders
from wordorder.preorder import Training
from wordorder.preorder.crf import ForestCRF

HOME = Path(__file__).resolve().parents[1] / "src" / "wordorder" / "data" / "preorder"


@dataclass(frozen=True)
class Recipe:
    """What a network is for, and what it is tested on: set, its links are manual, target language."""

    title: str
    settings: ForestCRF
    tests: tuple[tuple[str, bool, str], ...]
    sources: str
    use: str
    limits: str


RECIPES = {
    "en-ja-crf": Recipe(
        "English into the order of Japanese",
        ForestCRF(kind="neural", teachers=4),
        ((SETS["kftt"].test, True, ""),),
        "- Kyoto Free Translation Task (NICT, from Wikipedia), CC BY-SA 3.0: manual word alignments (dev\n"
        "  part), and sentences of its training part with automatic links.",
        "wordorder preorder apply --model en-ja-crf --source FILE --output text",
        "Learned from an encyclopedia of Kyoto: dialogue and questions are new to it.",
    ),
    "en-xx-crf": Recipe(
        "English into the order of Hindi, Japanese, Korean, Turkish or Chinese",
        ForestCRF(kind="neural", teachers=3, reading=3, automatic_epochs=4, language="ja"),
        (
            (SETS["kftt"].test, True, "ja-kftt"),
            ("bible-entr/en-tr/dev", True, "tr"),
            (SETS["atis"].test, False, "tr"),
            ("wpt05-enhi/en-hi/dev", True, "hi"),
        ),
        "- Parallel Universal Dependencies, CC BY-SA 3.0, with manual links of Nikolaev et al. (2020) for\n"
        "  Japanese, Korean and Chinese.\n"
        "- Kyoto Free Translation Task (NICT, from Wikipedia), CC BY-SA 3.0: as for en-ja-crf, and under a\n"
        "  tag of its own, `ja-kftt`, since it links words in another way.\n"
        "- Tatoeba, CC BY 2.0 FR; NTREX-128, CC BY-SA 4.0; UD English-ATIS and Turkish-ATIS, CC BY-SA 4.0:\n"
        "  automatic links.",
        "wordorder preorder apply --model en-xx-crf --set language=ko --source FILE --output text",
        "Turkish and Hindi were learned from automatic links alone. How well it does on Parallel UD is in\n"
        "docs/crf.md, by cross-validation (*five languages at once*): the model itself has seen all of that.",
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

{sentences:,} sentences with manual links, {automatic:,} with automatic ones. The model is made available under
CC BY-SA 4.0; the text itself is not part of it.

## Figures

Sentences that it has not seen; measures of top-down BTG, macro means over the sentences with a consistent
order:

| | language | links | sentences | as it stands: tau | FRS | {name}: tau | FRS |
|---|---|---|---|---|---|---|---|
{rows}

{limits}
`python docs/make_crf_models.py FOLDER` trains it again: on a GPU sums come in another order each time, so not
to the same bits.
"""


def corpora(name: str, data: Data) -> tuple[Corpus, Training]:
    """What is learned from."""
    if name == "en-xx-crf":
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
    orders = fitted.reorder([replace(one, target=target) for one in sources])
    scored = evaluate_orders(alignments, {"it": orders}, variants=("nakagawa",), samples=0).variants[0]
    cells = [f"{scored.cells[who][x].score:.4f}" for who in ("identity", "it") for x in ("tau", "frs")]
    links = "manual" if manual else "automatic"
    return " | ".join([f"| {test}", target, links, str(scored.used), *cells]) + " |"


def make(name: str, data: Data, home: Path) -> None:
    """Train, score and write a model."""
    recipe = RECIPES[name]
    manual, training = corpora(name, data)
    fitted = recipe.settings.fit(*manual, training=training)
    rows = "\n".join(row(fitted, data, *test) for test in recipe.tests)
    print(rows, flush=True)
    told = {key: getattr(recipe, key) for key in ("title", "sources", "use", "limits")}
    facts = {key: fitted.trained[key] for key in ("sentences", "automatic")}
    card = CARD.format(name=name, signature=fitted.signature, rows=rows, **told, **facts)
    fitted.save(str(home / name), card=card)


def main() -> None:
    """Make the models that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(RECIPES))
    parser.add_argument("--out", type=Path, default=HOME)
    parser.add_argument("--limit", type=int, help="first sentences of all text, to try things out")
    given = parser.parse_args()
    for name in given.only.split(","):
        make(name, Data(given.folder, given.limit), given.out)


if __name__ == "__main__":
    main()
