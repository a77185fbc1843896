"""Train the models that come with the package.

    python docs/make_models.py FOLDER [--only en-ja]

FOLDER holds parallel text with word alignments, a folder for each set. Models are written into the package's
data, with a card each; they are made small by dropping the least counts, and are scored as they are shipped.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from make_grammar import read

from wordorder.align.bilingual import train
from wordorder.core.alignment import Alignment
from wordorder.evaluate.preordering import evaluate_orders
from wordorder.io.records import read_records
from wordorder.preorder import Source, Training
from wordorder.preorder.grammar import ReorderingGrammar

HOME = Path(__file__).resolve().parents[1] / "src" / "wordorder" / "data" / "preorder"
LARGEST = 1_000_000  # bytes of arrays
WEIGHT = 40  # times that a sentence with manual links counts
SETTINGS = ReorderingGrammar(lowercase=True, rare=5)


@dataclass(frozen=True)
class Recipe:
    """What a model is trained and tested on."""

    title: str
    manual: tuple[str, ...]  # sets with manual links; each counts forty times
    realigned: tuple[str, ...]  # sets that our own aligner links, trained on them and on the manual ones
    automatic: tuple[str, ...]  # sets with the automatic links that they come with
    test: str
    test_is_manual: bool
    sources: str  # of the data, with licences


RECIPES = {
    "en-ja": Recipe(
        "English into the order of Japanese",
        ("kftt-gold/en-ja/dev",),
        ("kftt30k/en-ja/train", "tatoeba/en-ja/train"),
        (),
        "kftt-gold/en-ja/devtest",
        True,
        "- Kyoto Free Translation Task (NICT, from Wikipedia), CC BY-SA 3.0: its manual word alignments\n"
        "  (dev part, each sentence forty times) and 29,738 sentences with links by wordorder's aligner.\n"
        "- Tatoeba, CC BY 2.0 FR: 22,065 sentences with links by wordorder's aligner.",
    ),
    "en-tr": Recipe(
        "English into the order of Turkish",
        (),
        (),
        ("atis-ud/en-tr/train", "tatoeba/en-tr/train"),
        "atis-ud/en-tr/dev",
        False,
        "- UD English-ATIS and UD Turkish-ATIS, CC BY-SA 4.0: 4,274 sentences with automatic links.\n"
        "- Tatoeba, CC BY 2.0 FR: 20,073 sentences with automatic links.",
    ),
}

CARD = """\
# {name}: {title}

A Reordering Grammar (Stanojević 2017, chapter 3), trained by wordorder. Words are taken as lower-case; text
should be tokenised, punctuation apart from words.

    wordorder preorder apply --model {name} --source FILE --output order

Signature: `{signature}`

## Data

{sources}

The model is made available under CC BY-SA 4.0; the text itself is not part of it.

## Figures

{sentences:,} sentences were learned from, {filtered:,} left out; {vocabulary:,} words, phrases, classes. On
{test} ({links} links, {used} sentences with a consistent order; measures of top-down BTG, macro means):

| | tau | FRS | exact |
|---|---|---|---|
| as it stands | {identity} |
| {name} | {scores} |

`python docs/make_models.py FOLDER` trains it again, to the same bits.
"""


def realigned(folder: Path, recipe: Recipe) -> tuple[list[Source], list[Alignment]]:
    """The sets that our own aligner links, all of a recipe's text helping it."""
    texts: tuple[list[str], list[str]] = ([], [])
    for place in (*recipe.realigned, *recipe.manual) if recipe.realigned else ():
        for side, lines in zip(place.split("/")[1].split("-"), texts, strict=True):
            lines += [line.lower() for line in read_records(f"{folder / place}.{side}.gz", "text")]
    sources, alignments = [], []
    count = sum(len(read(folder, place)[0]) for place in recipe.realigned)
    links = train(*texts, threads=2).align(*texts, threads=2) if count else []
    for one, other, pairs in list(zip(*texts, links, strict=True))[:count]:
        words = tuple(one.split())
        sources.append(Source(words))
        alignments.append(Alignment(len(words), len(other.split()), pairs))
    return sources, alignments


def make(name: str, folder: Path) -> None:
    """Train, make small, score, and write a model."""
    recipe = RECIPES[name]
    sources, alignments = [], []
    for place in recipe.manual:
        found = read(folder, place, manual=True)
        sources += found[0] * WEIGHT
        alignments += found[1] * WEIGHT
    found = realigned(folder, recipe)
    sources += found[0]
    alignments += found[1]
    for place in recipe.automatic:
        found = read(folder, place)
        sources += found[0]
        alignments += found[1]
    whole = SETTINGS.fit(sources, alignments, training=Training(threads=2))
    for least in (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0):
        small = whole.compact(least)
        size = sum(array.nbytes for array in small.arrays().values())
        print(f"{name}: counts of {least} and more: {size:,} bytes", flush=True)
        if size <= LARGEST:
            break
    test, links = read(folder, recipe.test, manual=recipe.test_is_manual)
    systems = {"whole": whole.reorder(test), name: small.reorder(test)}
    scored = evaluate_orders(links, systems, variants=("nakagawa",), samples=0).variants[0]
    rows = {
        system: " | ".join(f"{cells[score].score:.4f}" for score in ("tau", "frs", "exact"))
        for system, cells in scored.cells.items()
    }
    print(rows, flush=True)
    facts = small.trained
    card = CARD.format(
        name=name,
        title=recipe.title,
        signature=small.signature,
        sources=recipe.sources,
        sentences=facts["sentences"],
        filtered=sum(facts["filtered"].values()),
        vocabulary=facts["vocabulary"],
        test=recipe.test,
        links="manual" if recipe.test_is_manual else "automatic",
        used=scored.used,
        identity=rows["identity"],
        scores=rows[name],
    )
    small.save(str(HOME / name), card=card)


def main() -> None:
    """Make the models that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(RECIPES))
    given = parser.parse_args()
    for name in given.only.split(","):
        make(name, given.folder)


if __name__ == "__main__":
    main()
