"""Train multi-en-crf, the network of many languages into English that comes with wordorder-models.

    python -m experiments.shipped_models.languages FOLDER multi-en-crf --work WORK [--part 0] [--out HOME]
    python -m experiments.shipped_models.languages FOLDER multi-en-crf --work WORK --table

FOLDER holds parallel text with word alignments, one folder per set. Training needs torch. A network first
learns from automatic links of the package's own aligner; this network is stored in WORK, with checkpoints,
and serves all parts. It then goes on to learn from manual links, except for those of one part, which it is
tested on (part -1: from all links), beside some automatic links of languages that have no manual ones. A
network of a part is stored in WORK, too; with ``--out`` it is written there with a model card. ``--table``
prints its scores. Settings were chosen on part 1 and on the whole test sets, so only other parts are new to
them.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any

from experiments.crf.directions import DIVIDED, TESTS, DirectionData, registered
from experiments.parallel import Corpus, concatenate, predict_orders, target_language
from tools.pages import DOCS, replace_table, write_pages
from wordorder.core.permutation import Permutation
from wordorder.engine.compare import Result
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.preorder import Preorderer, RunOptions, TrainingData, load_preorderer
from wordorder.preorder.crf import FeatureCRF, NeuralCRF
from wordorder.report.table import stars

PAGE = DOCS / "results" / "directions.md"
SCORES = (("nakagawa", "tau"), ("nakagawa", "frs"), ("thesis", "fuzzy"))


@dataclass(frozen=True)
class Recipe:
    """How a network of many languages is trained."""

    title: str
    into_english: bool
    most: int  # sentences with automatic links of one set
    base: NeuralCRF
    changes: dict[str, Any]  # settings that differ when manual links are learned
    use: str
    limits: str


RECIPES = {
    "multi-en-crf": Recipe(
        title="Arabic, Chinese, Czech, French, German, Hindi, Japanese, Korean, Russian, Swedish or Turkish "
        "into the order of English",
        into_english=True,
        most=7_000,
        base=NeuralCRF(
            tune_min_gain=False, max_words=24_000, pretraining_epochs=0, automatic_epochs=3, epochs=0,
            dropout=0.35, predict_linked=True,
        ),
        changes={"epochs": 8},
        use="wordorder preorder apply --model multi-en-crf --set language=de --source FILE --as text",
        limits="The setting `language` names the language of the source text. Text in languages that are "
        "written without spaces must be segmented first: Japanese as in the Kyoto Free Translation Task and "
        "Universal Dependencies, Chinese in words. German, Hindi and Turkish were learned from automatic "
        "links alone. Chinese is hardly improved. Words without a counterpart, such as particles, are often "
        "misplaced.",
    ),
}  # fmt: skip
SOURCES = (
    "Parallel Universal Dependencies, CC BY-SA 3.0, with manual links of Nikolaev et al. (2020) for Arabic, "
    "French, Japanese, Korean, Russian and Chinese.",
    "Kyoto Free Translation Task (NICT, from Wikipedia), CC BY-SA 3.0: manual links (dev part), and "
    "sentences of its training part with automatic links.",
    "CzEnAli, CC BY-SA 4.0, and the Linköping gold standard: manual links of Czech and Swedish.",
    "Tatoeba, CC BY 2.0 FR; NTREX-128, CC BY-SA 4.0; UD English-ATIS and Turkish-ATIS, CC BY-SA 4.0: "
    "automatic links of the aligner of this package.",
)
CARD = """\
# {name}: {title}

A forest CRF whose edges are scored by a network (`neural-crf`); see docs/crf.md. Applying it requires neither
torch nor a GPU. Text should be tokenised, with punctuation separated from words; case does not matter.

    {use}

Signature: `{signature}`

## Data

{sources}

{sentences:,} sentences in the last stage of training: those with manual links, and some with automatic links
of languages that have no manual ones. The model is available under CC BY-SA 4.0; it does not contain the
text itself.

## Figures

Unseen sentences: whole sets, or one of five parts (of documents, for the parallel treebank) that was left out
of training. Scores of top-down BTG (tau, FRS), and the fuzzy score over all words, with and without links
(fuzzy). Settings were chosen with the whole sets in sight, so their figures are optimistic:

{table}

{limits}

## Training

{made}
"""
MADE = (
    "`python -m experiments.shipped_models.languages FOLDER {name} --work WORK --part {part}`. On a GPU, "
    "results are not bit-identical, because the order of summation varies."
)


class Training:
    """The networks of a recipe in a folder."""

    def __init__(self, name: str, folder: Path, work: Path, *, limit: int | None = None, threads: int = 1):
        self.name, self.recipe = name, RECIPES[name]
        self.data = DirectionData(folder, self.recipe.into_english, self.recipe.most, limit)
        self.work, self.threads = work / name, threads

    def base(self) -> NeuralCRF:
        """Return the network that has learned from automatic links; it is trained if it is not there yet."""
        if not (self.work / "base").exists():
            automatic = self.data.automatic(threads=self.threads)
            few = registered(self.data.training(-1), automatic)
            some = self.data.manual("kftt-gold/en-ja/dev")
            data = TrainingData(*concatenate([some, few]), automatic=automatic)
            self._fit(self.recipe.base, data, "base")
        return self._load("base")

    def tuned(self, part: int) -> NeuralCRF:
        """Return the network that has learned from manual links except for those of a part."""
        name = f"part{part}" if part >= 0 else "all"
        if not (self.work / name).exists():
            base = self.base()
            text = concatenate([self.data.training(part), self.data.rehearsed(threads=self.threads)])
            data = TrainingData(*text, start=base)
            self._fit(replace(self.recipe.base, **self.recipe.changes), data, name)
        return self._load(name)

    def _fit(self, settings: NeuralCRF, data: TrainingData, name: str) -> None:
        checkpoint = self.work / f"{name}.checkpoint"
        run = RunOptions(
            seed=1,
            threads=self.threads,
            log=lambda record: print(name, record, flush=True),
            checkpoint=str(checkpoint),
            resume=checkpoint.exists(),
        )
        settings.fit(data, run).save(str(self.work / name))

    def _load(self, name: str) -> NeuralCRF:
        loaded = load_preorderer(self.work / name)
        assert isinstance(loaded, NeuralCRF)
        return loaded

    def write(self, part: int, home: Path) -> None:
        """Write the network of a part with its card."""
        fitted = self.tuned(part)
        recipe = self.recipe
        card = CARD.format(
            name=self.name,
            title=recipe.title,
            use=recipe.use,
            signature=fitted.signature,
            sources="\n".join(fill(f"- {source}", 110, subsequent_indent="  ") for source in SOURCES),
            sentences=fitted.trained["sentences"],
            table=table(self.data, {self.name: fitted}, part),
            limits=fill(recipe.limits, 110),
            made=fill(MADE.format(name=self.name, part=part), 110),
        )
        fitted.save(str(home / self.name), card=card)


def table(
    data: DirectionData, systems: Mapping[str, Preorderer], part: int, *, features: bool = False
) -> str:
    """Return the scores of systems on all tested sentences, as Markdown.

    With ``features``, a feature CRF for each language learns from the same sentences with manual links.
    """
    rows = []
    for name in (*TESTS, *DIVIDED):
        corpus = data.tested(name, part)
        named: dict[str, Preorderer | None] = dict(systems)
        if features:
            named = {"feature CRF": feature_crf(data, target_language(name), part), **named}
        orders = {
            system: predict_orders(fitted, corpus.sources) if fitted else []
            for system, fitted in named.items()
        }
        rows.append((name, corpus, orders))
    return scores_table(rows)


def scores_table(
    rows: Sequence[tuple[str, Corpus, Mapping[str, list[Permutation]]]], baseline: str = ""
) -> str:
    """Return the scores of orders of sets, as Markdown; a system without orders of a set has a dash there.

    With a ``baseline``, identity or one of the systems, significant differences of the others are marked.
    """
    heads = ["no reordering", *rows[0][2]]
    names = ["tau", "FRS", "fuzzy"]
    head = ["set", "language", "sentences", *(f"{system}: {name}" for system in heads for name in names)]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(_row(*row, baseline) for row in rows)])


@cache
def feature_crf(data: DirectionData, language: str, part: int) -> FeatureCRF | None:
    """Train a feature CRF on the manual links of a language; None if there are none."""
    corpus = data.training(part)
    own = corpus.select([s for s, source in enumerate(corpus.sources) if source.target == language])
    if not own.sources:
        return None
    return FeatureCRF().fit(TrainingData(*own), RunOptions(seed=1, threads=2))


def _row(name: str, corpus: Corpus, orders: Mapping[str, list[Permutation]], baseline: str) -> str:
    """Return the scores of orders; a system without orders has none."""
    variants = tuple(dict.fromkeys(variant for variant, _ in SCORES))
    words = [source.words for source in corpus.sources]
    known = {system: own for system, own in orders.items() if own}
    tests: dict[str, Any] = {"baseline": baseline} if baseline else {"samples": 0}
    found = evaluate_orders(corpus.alignments, known, words=words, variants=variants, **tests).variants
    scored = {one.variant.name: one for one in found}
    cells = [
        _cell(scored[variant].cells[system][score], marked=system not in ("identity", baseline))
        if orders.get(system, True)
        else "—"
        for system in ("identity", *orders)
        for variant, score in SCORES
    ]
    where = "/".join(name.split("/")[i] for i in (0, 2))
    return " | ".join([f"| {where}", target_language(name), str(len(corpus.sources)), *cells]) + " |"


def _cell(result: Result, *, marked: bool) -> str:
    marks = stars(result.p_value, better=(result.difference or 0) > 0) if marked else ""
    return f"{result.score:.4f} {marks}".rstrip().replace("*", "\\*")


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, or print scores."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("name", choices=RECIPES)
    parser.add_argument("--work", type=Path, required=True, help="folder of networks and checkpoints")
    parser.add_argument("--part", type=int, default=0, help="part to leave out and to test on; -1: none")
    parser.add_argument("--out", type=Path, help="folder to write the network to, with its card")
    parser.add_argument("--table", action="store_true", help="print scores of the network of the part")
    parser.add_argument(
        "--page", action="store_true", help="write the scores into docs/results/directions.md"
    )
    parser.add_argument("--limit", type=int, help="use only the first sentences of every file, for a trial")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    training = Training(
        options.name, options.folder, options.work, limit=options.limit, threads=options.threads
    )
    fitted = training.tuned(options.part)
    if options.table:
        print(table(training.data, {options.name: fitted}, options.part))
    if options.page:
        rows = table(training.data, {options.name: fitted}, options.part, features=True)
        write_pages({PAGE: replace_table(PAGE.read_text("utf-8"), options.name, rows)})
    if options.out:
        training.write(options.part, options.out)


if __name__ == "__main__":
    main()
