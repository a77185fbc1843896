"""Train the models that come with the package.

    python docs/make_models.py FOLDER [--only en-ja]
    python docs/make_models.py FOLDER --choose

FOLDER holds parallel text with word alignments, a folder for each set. Models are written into the package's
data, with a card each; they are made small by dropping the least counts, and are scored as they are shipped.
With ``--choose`` nothing is written: the ways to make en-ja are compared by cross-validation on the manual
links that it learns from, which its recipe was chosen by. Its test set has no part in that.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from make_grammar import Corpus, read

from wordorder.align.bilingual import train
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.io.read_write import read_records
from wordorder.preorder import Source, Training
from wordorder.preorder.grammar import ReorderingGrammar

HOME = Path(__file__).resolve().parents[1] / "src" / "wordorder" / "data" / "preorder"
LARGEST = 1_000_000  # bytes of arrays
FOLDS = 5
MIXED = ReorderingGrammar(lowercase=True, rare=5)
MANUAL = ReorderingGrammar(lowercase=True)


@dataclass(frozen=True)
class Recipe:
    """What a model is trained and tested on."""

    title: str
    settings: ReorderingGrammar
    manual: tuple[str, ...]  # sets with manual links
    realigned: tuple[str, ...]  # sets that our own aligner links, trained on them and on the manual ones
    automatic: tuple[str, ...]  # sets with the automatic links that they come with
    test: str
    test_is_manual: bool
    sources: str  # of the data, with licences
    every: int = 1  # each so-and-so-many-th of the realigned sentences is taken
    times: int = 1  # that a sentence with manual links counts


RECIPES = {
    "en-ja": Recipe(
        "English into the order of Japanese",
        replace(MANUAL, grammars=4),
        ("kftt-gold/en-ja/dev",),
        ("tatoeba/en-ja/train",),
        (),
        "kftt-gold/en-ja/devtest",
        True,
        "- Kyoto Free Translation Task (NICT, from Wikipedia), CC BY-SA 3.0: its manual word alignments\n"
        "  (dev part, 637 sentences).\n"
        "- Tatoeba, CC BY 2.0 FR: 345 sentences, every 64th, with links by wordorder's aligner: everyday\n"
        "  sentences, which an encyclopedia of Kyoto has few of.",
        every=64,
    ),
    "en-tr": Recipe(
        "English into the order of Turkish",
        MIXED,
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
    return sources[:: recipe.every], alignments[:: recipe.every]


def learn(
    settings: ReorderingGrammar, manual: Corpus, others: Corpus, times: int
) -> tuple[ReorderingGrammar, ReorderingGrammar]:
    """A model, and the same made small."""
    sources, alignments = manual[0] * times + others[0], manual[1] * times + others[1]
    whole = settings.fit(sources, alignments, training=Training(threads=2))
    for least in (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0):
        small = whole.compact(least)
        size = sum(array.nbytes for array in small.arrays().values())
        if size <= LARGEST:
            break
    print(f"counts of {least} and more: {size:,} bytes", flush=True)
    return whole, small


def scores(links: list[Alignment], systems: dict[str, list[Permutation]]) -> tuple[dict[str, str], int]:
    """Cells of a row for each system and for no reordering, and how many sentences count."""
    scored = evaluate_orders(links, systems, variants=("nakagawa",), samples=0).variants[0]
    rows = {
        system: " | ".join(f"{cells[score].score:.4f}" for score in ("tau", "frs", "exact"))
        for system, cells in scored.cells.items()
    }
    return rows, scored.used


def choose(folder: Path) -> None:
    """Ways to make en-ja, by cross-validation on the manual links of dev, in blocks of neighbours."""
    some = RECIPES["en-ja"]
    manual = read(folder, some.manual[0], manual=True)
    ways = {
        f"manual links, grammars={n}": replace(some, realigned=(), settings=replace(MANUAL, grammars=n))
        for n in (1, 4, 8)
    }
    ways |= {f"and each {n}th of Tatoeba": replace(some, every=n) for n in (64, 24)}
    ways["and all of Tatoeba and kftt30k, manual links 40 times"] = replace(
        some, realigned=("kftt30k/en-ja/train", *some.realigned), settings=MIXED, every=1, times=40
    )
    size = len(manual[0])
    ends = [size * fold // FOLDS for fold in range(FOLDS + 1)]
    for name, recipe in ways.items():
        others = realigned(folder, recipe)
        orders: list[Permutation] = []
        for first, last in pairwise(ends):
            rest = manual[0][:first] + manual[0][last:], manual[1][:first] + manual[1][last:]
            orders += learn(recipe.settings, rest, others, recipe.times)[1].reorder(manual[0][first:last])
        rows, used = scores(manual[1], {name: orders})
        print(f"| as it stands | {rows['identity']} |\n| {name} | {rows[name]} |  ({used})", flush=True)


def make(name: str, folder: Path) -> None:
    """Train, make small, score, and write a model."""
    recipe = RECIPES[name]
    manual: Corpus = ([], [])
    for place in recipe.manual:
        manual = tuple(a + b for a, b in zip(manual, read(folder, place, manual=True), strict=True))  # type: ignore[assignment]
    others = realigned(folder, recipe)
    for place in recipe.automatic:
        others = tuple(a + b for a, b in zip(others, read(folder, place), strict=True))  # type: ignore[assignment]
    whole, small = learn(recipe.settings, manual, others, recipe.times)
    test, links = read(folder, recipe.test, manual=recipe.test_is_manual)
    systems = {"whole": whole.reorder(test), name: small.reorder(test)}
    rows, used = scores(links, systems)
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
        used=used,
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
    parser.add_argument("--choose", action="store_true")
    given = parser.parse_args()
    if given.choose:
        choose(given.folder)
        return
    for name in given.only.split(","):
        make(name, given.folder)


if __name__ == "__main__":
    main()
