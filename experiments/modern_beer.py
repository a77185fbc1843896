"""Write docs/results/beer.md: BEER 4.0 on years that it was not learned from, beside other metrics.

    python -m experiments.modern_beer JUDGMENTS [BEER20] [--ntrex FOLDER]

JUDGMENTS is the folder of the tables of judgments (wmt12-rr, wmt13-da, ...). Each year is scored with
features, settings and weights chosen and learned on the other years (experiments/beer_selection.py); version
best has its shipped weights, learned from 2012 to 2015. BEER20 is the model folder of the released BEER 2.0,
if there is one. FOLDER has the parallel text NTREX-128, whose words are looked up in the lists, too.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from experiments.beer_selection import SHIPPED, Choice, OfCorpora, Selection, choices_table, early_table
from experiments.reproduction.judged import JudgedData, Row, show, table
from tools.pages import DOCS
from wordorder.arrays import Doubles
from wordorder.judge.agreement import Agreement, agree
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import MetricScores
from wordorder.judge.task import Level, Task
from wordorder.learn.eras import SCRAMBLES, scrambled_references
from wordorder.metrics.base import Metric
from wordorder.metrics.beer.trained_model import save_model
from wordorder.metrics.registry import parse_metrics
from wordorder.metrics.segments import Segments
from wordorder.text.tokens import Words
from wordorder.text.word_lists import LANGUAGES, word_list

PAGE = DOCS / "results" / "beer.md"
COLLECTIONS = (
    "wmt12-rr", "wmt13-da", "wmt13-rr", "wmt14-rr", "wmt15-da", "wmt15-rr",
    "wmt17-da", "wmt19-darr", "wmt21-da", "wmt21-mqm",
)  # fmt: skip
NEW, BEFORE, OLD = "`beer`", "English list", "`beer:version=best`"
# The settings that ship, and those before there were lists of words of other languages.
SAME = Choice(
    ("roots, rarity, recall", SHIPPED.penalties[0]),
    0.0,
    OfCorpora(SHIPPED.corpus, SHIPPED.corpus_words, SHIPPED.corpus_recall),
    0.0,
)
EARLIER = Choice(("English list", 1e-3), 0.0, OfCorpora("length", 1.0, 0.0), 0.0)
EARLY, LATER = (2012, 2013, 2014), 2015
OTHERS = {"chrF": "chrf", "chrF++": "chrf:words=2", "BLEU": "bleu", "RIBES": "ribes"}
RELEASED = "BEER 2.0"
SAMPLES = 1000
MANY_JUDGMENTS = 1000
ORDER_SEED, ORDER_SEGMENTS = 2020, 100
SHORTER = 0.3  # the share of words that is left out of scrambled references
PARAGRAPH = 5  # segments in a row


class YearlyMetrics:
    """Metrics by year: models are learned from the other years."""

    def __init__(self, sets: Sequence[Judgments], folder: Path, beer20: str) -> None:
        self.years = sorted({judgments.year for judgments in sets})
        specs = dict(OTHERS)
        if beer20:
            specs[RELEASED] = f"beer:version=2.0,model={beer20}"
        self.selection, self.choices = Selection(sets), dict[int, Choice]()
        self.labels = [NEW, BEFORE, OLD, *specs]
        self.of: dict[int, list[Metric]] = {}
        for year in self.years:
            others = [other for other in self.years if other != year]
            self.choices[year] = self.selection.choose(others)
            print(year, self.choices[year], flush=True)
            own = []  # as NEW and BEFORE
            for number, choice in enumerate((self.choices[year], EARLIER)):
                place = folder / f"{year}-{number}"
                save_model(self.selection.model(choice, others), place)
                own.append(f"beer:model={place}")
            self.of[year] = parse_metrics([*own, "beer:version=best", *specs.values()], {})


def nested_means(metrics: YearlyMetrics) -> str:
    """Compare the choices of all years with the settings that ship, by the mean over sets of segments."""
    years, selection = metrics.years, metrics.selection
    nested = [
        value
        for year in years
        for value in selection.segment_values(
            metrics.choices[year].features, year, [other for other in years if other != year]
        )
    ]
    same = selection.over_years(SAME.features, years)
    return f"{float(np.mean(nested)):.4f} with these choices and {same:.4f} with the settings that ship"


def agreements(data: JudgedData, sets: Sequence[Judgments], metrics: YearlyMetrics) -> Iterator[Agreement]:
    """Judge the metrics at segment level, then at system level."""
    rows: dict[str, list[MetricScores]] = {}
    for year in metrics.years:
        mine = [judgments for judgments in sets if judgments.year == year]
        for judgments, scored in zip(mine, data.scorer(mine, metrics.of[year]), strict=True):
            print(judgments.name, flush=True)
            rows[judgments.name] = [
                MetricScores(**{**vars(scores), "label": label})
                for scores, label in zip(scored, metrics.labels, strict=True)
            ]
    against = tuple(label for label in (BEFORE, OLD, "chrF", RELEASED) if label in metrics.labels)
    levels: tuple[Level, ...] = ("segment", "system")
    for level in levels:
        task = Task(level=level, baselines=against, paired="bootstrap", samples=SAMPLES)
        yield agree(task, sets, [rows[judgments.name] for judgments in sets])


def summary(judged: Agreement) -> str:
    """Make the table of means by collection, with tests of the means over all sets."""
    collections = [c for c in COLLECTIONS if any(s.collection == c for s in judged.sets)]
    against = [f"against {name}" for name in judged.task.baselines]
    rows: list[Row] = [["", *collections, "all sets", *against]]
    for k, label in enumerate(judged.labels):
        columns = []
        for collection in collections:
            values = [
                judged.cells[k][n].value for n, s in enumerate(judged.sets) if s.collection == collection
            ]
            columns.append(show(float(np.mean([v for v in values if v is not None])), 4))
        tests = []
        for b, p in enumerate(judged.means[k].p_values):
            won, lost, _ = judged.tally(k, b)
            tests.append(
                "" if p is None or label == judged.task.baselines[b] else f"p = {p:.3f}, {won} : {lost}"
            )
        rows.append([label, *columns, show(judged.means[k].value, 4), *tests])
    # Means over sets of systems have no test, because some sets have too few systems.
    shown = [c for c, cells in enumerate(zip(*rows[1:], strict=True)) if any(cells)]
    return table([[row[c] for c in shown] for row in rows])


def every_set(judged: Agreement) -> str:
    """Make the table of all sets: the new model, the old one and chrF, with a test against chrF."""
    base = judged.task.baselines.index("chrF")
    rows: list[Row] = [["", "measure", "judgments", *judged.labels, f"{NEW} against chrF"]]
    for n, one in enumerate(judged.sets):
        cell = judged.cells[0][n]
        p = cell.p_values[base]
        side = "" if p is None else f"{'above' if cell.better[base] else 'below'}, p = {p:.3f}"
        values = [show(judged.cells[k][n].value, 4) for k in range(len(judged.labels))]
        rows.append([one.name, one.measure, f"{one.judgments:,}", *values, side])
    return table(rows)


def below_chrf(judged: Agreement) -> str:
    """Name the large sets on which the new model is significantly below chrF."""
    base = judged.task.baselines.index("chrF")
    names = [
        one.name
        for one, cell in zip(judged.sets, judged.cells[0], strict=True)
        if one.judgments >= MANY_JUDGMENTS
        and cell.better[base] is False
        and (cell.p_values[base] or 0.0) < 0.05
    ]
    return ", ".join(names) or "none"


def scores_of(one: Metric, texts: Sequence[str], references: Sequence[str]) -> Doubles:
    """Return the scores of segments."""
    return one.segment_scores(one.statistics(Segments(list(texts), [list(references)])))


def thinned(text: str, share: float, rng: np.random.Generator) -> str:
    """Leave out each word with this probability."""
    words = text.split()
    return " ".join(word for word, drawn in zip(words, rng.random(len(words)), strict=True) if drawn >= share)


def order_table(sets: Sequence[Judgments], metrics: YearlyMetrics) -> str:
    """Show how often scrambled references, whole or thinned, score more than outputs of systems."""
    kinds = [scramble.__name__.replace("_", " ") for scramble in SCRAMBLES]
    wins = np.zeros((len(metrics.labels), 2 * len(kinds)))
    total = 0
    rng = np.random.default_rng(ORDER_SEED)
    for judgments in sets:
        drawn = scrambled_references(judgments, ORDER_SEED, segments=ORDER_SEGMENTS)
        shorter = [thinned(text, SHORTER, rng) for text in drawn.texts]
        outputs = [judgments.outputs[k] or "" for k in drawn.opponents.tolist()]
        total += len(drawn) // len(kinds)
        for m, one in enumerate(metrics.of[judgments.year]):
            theirs = scores_of(one, outputs, drawn.references)
            ahead = [scores_of(one, texts, drawn.references) > theirs for texts in (drawn.texts, shorter)]
            wins[m] += np.hstack([each.reshape(-1, len(kinds)) for each in ahead]).sum(axis=0)
    less = [f"{kind}, {SHORTER:.0%} left out".replace("%", " %") for kind in kinds]
    rows: list[Row] = [[f"% of {total:,} references", *kinds, *less]]
    for label, row in zip(metrics.labels, 100 * wins / total, strict=True):
        rows.append([label, *(f"{value:.1f}" for value in row)])
    return table(rows)


def paragraphs(judgments: Judgments) -> tuple[list[str], list[str], Doubles]:
    """Join rated outputs of segments in a row: texts, references, and mean ratings."""
    rated = judgments.rated
    assert rated is not None
    score = dict(zip(rated.item.tolist(), rated.score.tolist(), strict=True))
    systems: dict[int, dict[int, int]] = {}
    for item in score:
        systems.setdefault(int(judgments.item_system[item]), {})[int(judgments.item_segment[item])] = item
    texts, references, means = [], [], []
    for items in systems.values():
        for begin in range(0, len(judgments.segments) - PARAGRAPH + 1, PARAGRAPH):
            span = range(begin, begin + PARAGRAPH)
            if all(segment in items for segment in span):
                texts.append(" ".join(judgments.outputs[items[k]] or "" for k in span))
                references.append(" ".join(judgments.references[0][k] for k in span))
                means.append(float(np.mean([score[items[k]] for k in span])))
    return texts, references, np.array(means)


def paragraph_table(sets: Sequence[Judgments], metrics: YearlyMetrics) -> str:
    """Show the correlation with mean ratings of paragraphs."""
    chosen = [judgments for judgments in sets if judgments.collection in ("wmt21-da", "wmt21-mqm")]
    rows: list[Row] = [["", *(judgments.name for judgments in chosen), "mean"]]
    columns = []
    for judgments in chosen:
        texts, references, ratings = paragraphs(judgments)
        every = metrics.of[judgments.year]
        columns.append([float(np.corrcoef(scores_of(m, texts, references), ratings)[0, 1]) for m in every])
    for k, label in enumerate(metrics.labels):
        values = [column[k] for column in columns]
        rows.append([label, *(show(value) for value in values), show(float(np.mean(values)), 4)])
    return table(rows)


def unknown_words(sets: Sequence[Judgments], ntrex: Path | None) -> str:
    """Show how many words of references are not in the list of their language."""
    texts: dict[tuple[str, str], set[str]] = {}
    for judgments in sets:
        if judgments.target in LANGUAGES:
            texts.setdefault((judgments.target, judgments.collection), set()).update(judgments.references[0])
    for path in sorted(ntrex.glob("*/*.gz")) if ntrex else ():
        language = path.name.split(".")[-2]
        if language in LANGUAGES:
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                texts.setdefault((language, "NTREX-128"), set()).update(line.rstrip("\n") for line in lines)
    head = ["with digits", "derived", "unknown, capital letter", "unknown, others"]
    rows: list[Row] = [["language", "references of", "words", *(f"{name}, %" for name in head)]]
    for (language, name), own in sorted(texts.items()):
        vocabulary = Words("letters")
        found = [k for ids in vocabulary.encode(sorted(own)) for k in ids]
        every = vocabulary.words
        words = [every[k] for k in found]
        listed = word_list(language)
        kinds = Counter(
            "digits" if any(letter.isdigit() for letter in word)
            else "known" if listed.is_known(word.lower())
            else "derived" if listed.is_derived(word.lower())
            else "name" if word[0] != word[0].lower()
            else "unknown"
            for word in words
        )  # fmt: skip
        total = kinds.total()
        shares = [f"{100 * kinds[kind] / total:.2f}" for kind in ("digits", "derived", "name", "unknown")]
        rows.append([language, name, f"{total:,}", *shares])
    return table(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("judgments", type=Path)
    parser.add_argument("beer20", nargs="?", default="")
    parser.add_argument("--ntrex", type=Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    data = JudgedData(options.judgments)
    sets = data.sets(*COLLECTIONS)
    with tempfile.TemporaryDirectory() as folder:
        metrics = YearlyMetrics(sets, Path(folder), options.beer20)
        segments, systems = agreements(data, sets, metrics)
        values = {
            "segments": summary(segments),
            "systems": summary(systems),
            "every_segments": every_set(segments),
            "every_systems": every_set(systems),
            "below_segments": below_chrf(segments),
            "below_systems": below_chrf(systems),
            "choices": choices_table(metrics.choices),
            "nested": nested_means(metrics),
            "early": early_table(metrics.selection, EARLY, LATER),
            "early_choice": " and penalty ".join(map(str, metrics.selection.choose(EARLY).features)),
            "lists": unknown_words(sets, options.ntrex),
            "order": order_table(sets, metrics),
            "paragraphs": paragraph_table(sets, metrics),
        }
    template = Path(__file__).with_suffix(".template").read_text("utf-8")
    PAGE.write_text(template.format(**values), "utf-8")


if __name__ == "__main__":
    main()
