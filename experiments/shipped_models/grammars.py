"""Train the grammars that come with the package.

    python -m experiments.shipped_models.grammars FOLDER [--only en-ja] [--out HOME] [--cards]
    python -m experiments.shipped_models.grammars FOLDER --choose

FOLDER holds parallel text with word alignments, one folder per set. Models are written to the data of the
package or to HOME, with a model card each; the smallest counts are dropped to make them small, and they are
scored in the form in which they are shipped. With ``--cards`` nothing is trained: the models of the package
are scored as they are, and their cards are written again. With ``--choose`` nothing is written: recipes for
en-ja are compared by cross-validation on the manual links that it learns from, without the test set.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from experiments.parallel import (
    Corpus,
    concatenate,
    predict_orders,
    read_lines,
    read_parallel,
    target_language,
)
from experiments.shipped_models import GRAMMARS as HOME
from wordorder.align.bilingual import train_aligner
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.preorder import RunOptions, Source, TrainingData, load_preorderer
from wordorder.preorder.grammar import ReorderingGrammar

LARGEST = 1_000_000  # size of the arrays in bytes
FOLDS = 5
MIXED = ReorderingGrammar(lowercase=True, rare=5)
MANUAL = ReorderingGrammar(lowercase=True)


@dataclass(frozen=True)
class GrammarRecipe:
    """What a grammar is trained and tested on."""

    title: str
    settings: ReorderingGrammar
    manual: tuple[str, ...]  # sets with manual links
    realigned: tuple[str, ...]  # sets linked by our own aligner, trained on them and the manual sets
    automatic: tuple[str, ...]  # sets with automatic links
    test: str
    test_is_manual: bool
    sources: str  # the data and their licences
    every: int = 1  # every k-th realigned sentence is used
    times: int = 1  # how often each sentence with manual links is repeated


RECIPES = {
    "en-ja": GrammarRecipe(
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
        "  sentences, which are rare in an encyclopedia of Kyoto.",
        every=64,
    ),
    "en-tr": GrammarRecipe(
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

A Reordering Grammar (Stanojević 2017, chapter 3), trained by wordorder. Words are lower-cased; text should be
tokenised, with punctuation separated from words.

    wordorder preorder apply --model {name} --source FILE --as order

Signature: `{signature}`

## Data

{sources}

The model is available under CC BY-SA 4.0; it does not contain the text itself.

## Figures

Trained on {sentences:,} sentences; {filtered:,} were left out. The vocabulary has {vocabulary:,} entries.
Scores of top-down BTG on {test} ({links} links), averaged over {used} sentences with a
consistent order:

| | tau | FRS | exact |
|---|---|---|---|
| no reordering | {identity} |
| {name} | {scores} |

`python -m experiments.shipped_models.grammars FOLDER` trains it again, with bit-identical results.
"""


def realigned(folder: Path, recipe: GrammarRecipe) -> Corpus:
    """Link sets with our own aligner, which is trained on all text of the recipe."""
    corpus = Corpus([], [])
    if not recipe.realigned:
        return corpus
    texts: tuple[list[str], list[str]] = ([], [])
    for place in (*recipe.realigned, *recipe.manual):
        for side, lines in zip(("en", target_language(place)), texts, strict=True):
            lines += [line.lower() for line in read_lines(folder, place, side)]
    count = sum(len(read_lines(folder, place, "en")) for place in recipe.realigned)
    links = train_aligner(*texts, threads=2).align(*texts, threads=2)
    for source, alignment in list(zip(texts[0], links, strict=True))[: count : recipe.every]:
        corpus.sources.append(Source(tuple(source.split())))
        corpus.alignments.append(alignment)
    return corpus


def learn(
    settings: ReorderingGrammar, manual: Corpus, others: Corpus, times: int
) -> tuple[ReorderingGrammar, ReorderingGrammar]:
    """Train a model; return it, and the same made small."""
    corpus = concatenate([*[manual] * times, others])
    whole = settings.fit(TrainingData(*corpus), RunOptions(threads=2))
    for least in (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0):
        small = whole.compact(least)
        size = sum(array.nbytes for array in small.arrays().values())
        if size <= LARGEST:
            break
    print(f"counts of {least} and more: {size:,} bytes", flush=True)
    return whole, small


def scores(links: list[Alignment], systems: dict[str, list[Permutation]]) -> tuple[dict[str, str], int]:
    """Return the cells of a row for each system and for no reordering, and the number of scored sentences."""
    scored = evaluate_orders(links, systems, variants=("nakagawa",), samples=0).variants[0]
    rows = {
        system: " | ".join(f"{cells[score].score:.4f}" for score in ("tau", "frs", "exact"))
        for system, cells in scored.cells.items()
    }
    return rows, scored.used


def choose(folder: Path) -> None:
    """Compare recipes for en-ja by cross-validation on the manual links of dev, in blocks of neighbours."""
    shipped = RECIPES["en-ja"]
    manual = read_parallel(folder, shipped.manual[0], manual=True)
    recipes = {
        f"manual links, grammars={n}": replace(shipped, realigned=(), settings=replace(MANUAL, grammars=n))
        for n in (1, 4, 8)
    }
    recipes |= {f"and each {n}th of Tatoeba": replace(shipped, every=n) for n in (64, 24)}
    recipes["and all of Tatoeba and kftt30k, manual links 40 times"] = replace(
        shipped, realigned=("kftt30k/en-ja/train", *shipped.realigned), settings=MIXED, every=1, times=40
    )
    size = len(manual.sources)
    ends = [size * fold // FOLDS for fold in range(FOLDS + 1)]
    for name, recipe in recipes.items():
        others = realigned(folder, recipe)
        orders: list[Permutation] = []
        for first, last in pairwise(ends):
            rest = manual.select([s for s in range(size) if not first <= s < last])
            _, small = learn(recipe.settings, rest, others, recipe.times)
            orders += predict_orders(small, manual.sources[first:last])
        rows, used = scores(manual.alignments, {name: orders})
        print(f"| no reordering | {rows['identity']} |\n| {name} | {rows[name]} |  ({used})", flush=True)


def train(name: str, folder: Path) -> ReorderingGrammar:
    """Train a model and make it small."""
    recipe = RECIPES[name]
    manual = concatenate(read_parallel(folder, place, manual=True) for place in recipe.manual)
    automatic = (read_parallel(folder, place) for place in recipe.automatic)
    others = concatenate([realigned(folder, recipe), *automatic])
    return learn(recipe.settings, manual, others, recipe.times)[1]


def write(name: str, model: ReorderingGrammar, folder: Path, home: Path) -> None:
    """Score a model, and write it with its card."""
    recipe = RECIPES[name]
    test = read_parallel(folder, recipe.test, manual=recipe.test_is_manual)
    rows, used = scores(test.alignments, {name: predict_orders(model, test.sources)})
    print(rows, flush=True)
    facts = model.trained
    card = CARD.format(
        name=name,
        title=recipe.title,
        signature=model.signature,
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
    model.save(str(home / name), card=card)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the requested models."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(RECIPES), help="models to make")
    parser.add_argument("--out", type=Path, default=HOME, help="folder of the models")
    parser.add_argument("--choose", action="store_true", help="compare recipes for en-ja, and write nothing")
    parser.add_argument("--cards", action="store_true", help="train nothing, and write the cards again")
    options = parser.parse_args(arguments)
    if options.choose:
        choose(options.folder)
        return
    for name in options.only.split(","):
        if options.cards:
            model = load_preorderer(str(HOME / name))
            assert isinstance(model, ReorderingGrammar)
        else:
            model = train(name, options.folder)
        write(name, model, options.folder, options.out)


if __name__ == "__main__":
    main()
