"""Write en-multi-crf and en-multi-average with their cards, and their scores in docs/results/directions.md.

    python -m experiments.shipped_models.pages --work WORK [--out HOME]

WORK has the text and all networks, features and rules of experiments.shipped_models.text, .distillation and
.averages, of the five parts and of all sentences (part -1). Sentences of the divided sets are reordered by
the models that have not learned from their part; whole sets by the models that are shipped, which have
learned from all parts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import fill

from experiments.crf.directions import DIVIDED, TESTS
from experiments.crf.sets import PARTS
from experiments.parallel import Corpus, predict_orders, target_language
from experiments.shipped_models.averages import AverageTraining
from experiments.shipped_models.languages import PAGE, SOURCES, scores_table
from experiments.shipped_models.text import LINKED, StoredText
from tools.pages import markdown_table, replace_table, write_pages
from wordorder.core.permutation import Permutation
from wordorder.preorder import Preorderer, Source, load_preorderer

NETWORK, AVERAGE = "en-multi-crf", "en-multi-average"
MARKS = frozenset(".!?")
KINDS = {"Japanese": "tested", "other": "tested-others"}  # of names
Row = tuple[str, Corpus, dict[str, list[Permutation]]]
TITLE = (
    "English into the order of Arabic, Chinese, Czech, French, German, Hindi, Japanese, Korean, Russian, "
    "Swedish or Turkish"
)
NETWORK_USE = """\
A forest CRF whose edges are scored by a network (`neural-crf`); see docs/crf.md. Applying it requires neither
torch nor a GPU."""
AVERAGE_USE = """\
For each language, the average of a network (en-multi-crf, which must be installed), of a feature CRF that
sees dependency trees, and of learned rules (`average`); see docs/preordering.md. Sentences are parsed with
the shipped parser, unless they have trees. The model is slower than the network alone. For German, Hindi and
Turkish, the order is that of the network alone."""
CARD = """\
# {name}: {title}

{use} Text should be tokenised, with punctuation separated from words; case does not matter. In Japanese, the
family name of most Japanese people comes first; names of other people keep their order.

    wordorder preorder apply --model {name} --set language=ko --source FILE --as text

Signature: `{signature}`

## Data

{sources}

The model is available under CC BY-SA 4.0; it does not contain the text itself. German, Hindi and Turkish were
learned from automatic links alone.

## Figures

Unseen sentences. Sets that are called `dev` of `pud`, `czenali` and `liu-ensv` are divided into five parts;
each part was reordered by a model that has learned from the other four in the same way. The model itself has
learned from all of them, and from none of the other sets. Scores of top-down BTG (tau, FRS), and the fuzzy
score over all words, with and without links (fuzzy). Stars mark significant differences from no reordering
(paired bootstrap; \\* p < 0.05, \\*\\* p < 0.01):

{table}

## Training

`experiments.shipped_models.text`, `.distillation`, `.averages` and `.pages`, in this order. On a GPU, results
are not bit-identical, because the order of summation varies.
"""
WMT = "English references and sources of the WMT metrics tasks from 2012 to 2021: raw text."


class Models:
    """The models of all parts."""

    def __init__(self, work: Path) -> None:
        self.work, self.text = work, StoredText(work)

    def systems(self, part: int) -> dict[str, Preorderer]:
        """Return the systems that have not learned from a part."""
        training = AverageTraining(self.work, part, text=self.text)
        return {
            "features with trees": training.joined(
                [f"{training.features(language).name}@{language}" for language in LINKED]
            ),
            NETWORK: load_preorderer(self.work / f"small-{part}"),
            AVERAGE: training.average(),
        }

    def rows(self) -> Iterator[Row]:
        """Reorder all tested sentences."""
        whole = self.systems(-1)
        parts = [self.systems(part) for part in range(PARTS)]
        for name in TESTS:
            corpus = self.text.manual(name)
            yield name, corpus, _orders(whole, name, corpus)
        for name in DIVIDED:
            corpus = self.text.manual(name)
            places: list[int] = []
            joined: dict[str, list[Permutation]] = {system: [] for system in whole}
            for part, systems in enumerate(parts):
                outside = set(self.text.outside(name, part))
                own = [s for s in range(len(corpus.sources)) if s not in outside]
                places += own
                for system, orders in _orders(systems, name, corpus.select(own)).items():
                    joined[system] += orders
            yield name, corpus.select(places), joined

    def names_table(self) -> str:
        """Return how many new names of people each model puts in the order of Japanese."""
        models = {"en-ja-crf": load_preorderer("en-ja-crf"), **self.systems(-1)}
        rows = [["", *(f"{kind} names: {where}" for kind in KINDS for where in ("alone", "in sentences"))]]
        rows += [[system] for system in models]
        for kind in KINDS.values():
            corpus = self.text.names(kind, "ja")
            places = [sorted({i for i, _ in one.links})[::2] for one in corpus.alignments]  # first words
            pairs = zip(corpus.sources, places, strict=True)
            names = {source.words[at : at + 2] for source, own in pairs for at in own}
            alone = [Source(name, target="ja") for name in sorted(names)]
            longer = [s for s, source in enumerate(corpus.sources) if len(source.words) > 2]
            sentences = [corpus.sources[s] for s in longer]
            inverted = dict(corpus.alignments[0].links)[places[0][0]] == 1
            for row, model in zip(rows[1:], models.values(), strict=True):
                row.append(_right_names(model, alone, [[0]] * len(alone), inverted))
                row.append(_right_names(model, sentences, [places[s] for s in longer], inverted))
        return markdown_table(rows)

    def write(self, home: Path, table: str) -> None:
        """Write both models with their cards."""
        network = load_preorderer(self.work / "small--1")
        average = AverageTraining(self.work, -1, text=self.text).average(NETWORK)
        for name, use, model in ((NETWORK, NETWORK_USE, network), (AVERAGE, AVERAGE_USE, average)):
            card = CARD.format(
                name=name,
                title=TITLE,
                use=use,
                signature=model.signature,
                sources="\n".join(fill(f"- {x}", 110, subsequent_indent="  ") for x in (*SOURCES, WMT)),
                table=table,
            )
            model.save(str(home / name), card=card)


def _right_names(
    model: Preorderer, sources: Sequence[Source], places: Sequence[Sequence[int]], inverted: bool
) -> str:
    """Return how many names, of how many, a model inverts, or leaves in order."""
    ranks = [order.inverse().order for order in predict_orders(model, sources)]
    pairs = zip(ranks, places, strict=True)
    right = [(rank[at] > rank[at + 1]) == inverted for rank, own in pairs for at in own]
    return f"{sum(right)} of {len(right)}"


def _orders(systems: Mapping[str, Preorderer], name: str, corpus: Corpus) -> dict[str, list[Permutation]]:
    """Return the orders of systems; none if a system does not know the language."""
    language = target_language(name)
    return {
        system: predict_orders(model, corpus.sources) if language in model.target_languages else []
        for system, model in systems.items()
    }


def marks_table(rows: Sequence[Row]) -> str:
    """Return how often each model misplaces the last mark of a sentence."""
    systems = (NETWORK, AVERAGE)
    counts: dict[str, list[int]] = {}
    for name, corpus, orders in rows:
        words = [source.words for source in corpus.sources]
        ends = [s for s, own in enumerate(words) if own and own[-1] in MARKS]
        wrong = [
            sum(int(orders[system][s].order[-1]) != len(words[s]) - 1 for s in ends) for system in systems
        ]
        sums = counts.setdefault(target_language(name), [0] * (1 + len(systems)))
        sums[:] = [a + b for a, b in zip(sums, [len(ends), *wrong], strict=True)]
    head = ["language", "sentences with a last mark", *systems]
    return markdown_table([head, *([language, *sums] for language, sums in sorted(counts.items()))])


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the scores and the models."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, help="folder of text and models of all parts")
    parser.add_argument("--out", type=Path, help="folder to write the models to, with their cards")
    options = parser.parse_args(arguments)
    models = Models(options.work)
    rows = list(models.rows())
    table = scores_table(rows, baseline="identity")
    page = PAGE.read_text("utf-8")
    tables = {"from-english": table, "marks": marks_table(rows), "names": models.names_table()}
    for name, text in tables.items():
        page = replace_table(page, name, text)
    write_pages({PAGE: page})
    if options.out:
        models.write(options.out, table)


if __name__ == "__main__":
    main()
