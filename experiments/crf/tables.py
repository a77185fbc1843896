"""The tables of docs/results/crf.md, made from stored results."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from experiments.crf.jobs import SYSTEMS, Job, Store, average_tables, decode
from experiments.crf.scores import COLUMNS, Column, Orders, ceiling, largest_operators, score
from experiments.crf.sets import SETS
from tools.pages import markdown_table
from wordorder.core.permutation import Permutation
from wordorder.core.resample import Interval

TAU, FRS = COLUMNS[0], COLUMNS[1]
IDENTITY, TREES = "no reordering", "best binary tree"
# The systems of each average; of alternatives, the last one that was run on a set is taken.
AVERAGES = {
    "feature CRF, seeds averaged": [["features"]],
    "neural CRF, seeds averaged": [["network"]],
    "feature and neural CRF averaged": [["features"], ["network"]],
    "feature CRF, all text, seeds averaged": [["features-raw", "features-auto"]],
    "neural CRF, all text, seeds averaged": [["network-raw", "network-auto"]],
    "feature and neural CRF, all text, averaged": [
        ["features-raw", "features-auto"],
        ["network-raw", "network-auto"],
    ],
    "feature CRF and five languages at once, averaged": [
        ["features-raw", "features-auto"],
        ["network-languages"],
    ],
    "feature CRF with labels and neural CRF with trees, averaged": [
        ["features-labels", "features-labels-raw"],
        ["network-syntax"],
    ],
}
NOTES = {
    "rules": "no gold trees, or no such rules for this language",
    "automatic": "no text with automatic links in this language",
    "todo": "not run",
}


def tables(store: Store, seeds: Sequence[int]) -> dict[str, str]:
    """Make all tables, by the names of their places on the page."""
    results = {name: Results(store, name, seeds) for name in SETS}
    texts = {
        "main": main_table(results),
        "some-sets": main_table(results, complete=False),
        "sets": sets_table(store),
        "trees": trees_table(results),
    }
    for name, result in results.items():
        texts[name] = f"{result.title}\n\n{detail_table(result)}\n\n{variants_table(result)}"
    return texts


class Results:
    """The scores of everything that is stored for one set."""

    def __init__(self, store: Store, name: str, seeds: Sequence[int]) -> None:
        self.store, self.name = store, name
        self.corpus = store.data.tested(name)
        words = [source.words for source in self.corpus.sources]
        self.seeds = {
            system: [seed for seed in SYSTEMS[system].seeds(seeds) if self._complete(system, seed)]
            for system in SYSTEMS
        }
        self.ceiling = ceiling(self.corpus.alignments, words)
        self.largest = largest_operators(self.corpus.alignments)
        identity = [Permutation.identity(len(text)) for text in words]
        runs: dict[str, list[Orders]] = {IDENTITY: [identity]}
        for system, complete in self.seeds.items():
            if complete:
                runs[SYSTEMS[system].title] = [self._orders(system, seed) for seed in complete]
        self.single = list(runs)
        self.members: dict[str, int] = {}
        for title, groups in AVERAGES.items():
            chosen = [
                next((system for system in reversed(group) if self.seeds[system]), "") for group in groups
            ]
            members = sum(len(self.seeds[system]) for system in chosen if system)
            if all(chosen) and members > 1:
                runs[title] = [self._averaged(chosen)]
                self.members[title] = members
        columns: dict[str, dict[Column, Sequence[Orders]]] = {
            title: dict.fromkeys(COLUMNS, orders) for title, orders in runs.items()
        }
        columns[TREES] = {column: [self.ceiling.orders[column]] for column in COLUMNS}
        self.scores = score(self.corpus.alignments, words, columns)

    @property
    def title(self) -> str:
        """The title of the detailed tables."""
        links = "manual" if SETS[self.name].manual else "automatic"
        used = self.scores.used["nakagawa"]
        size = len(self.corpus.sources)
        return f"**{SETS[self.name].title}**: {size} sentences, {links} links, {used} of them consistent"

    def runs(self, title: str) -> int:
        """Return the number of trainings behind a row."""
        system = next((name for name, row in SYSTEMS.items() if row.title == title), None)
        return len(self.seeds[system]) if system else self.members.get(title, 0)

    def _jobs(self, system: str, seed: int) -> list[Job]:
        # One training on all languages serves several sets; ATIS is tested in the first part.
        return [Job(system, self.name, part, seed) for part in range(SETS[self.name].parts)]

    def _complete(self, system: str, seed: int) -> bool:
        return all(self.store.path(job, self.name).exists() for job in self._jobs(system, seed))

    def _orders(self, system: str, seed: int) -> Orders:
        by_index: dict[int, Permutation] = {}
        for job in self._jobs(system, seed):
            orders, _, about = self.store.read(job, self.name)
            if about.get("settings", now := SYSTEMS[system].signature) != now:
                print(f"{job} was run with other settings: {about['settings']}", file=sys.stderr)
            by_index |= dict(zip(self.store.data.indices(self.name, job.part), orders, strict=True))
        return [by_index[s] for s in range(len(by_index))]

    def _averaged(self, systems: Sequence[str]) -> Orders:
        """Decode the mean of the tables; every system has the same weight, however many seeds it has."""
        by_index: dict[int, Permutation] = {}
        for part in range(SETS[self.name].parts):
            means = []
            for system in systems:
                jobs = (Job(system, self.name, part, seed) for seed in self.seeds[system])
                tables = [self.store.read(job, self.name, tables=True).tables for job in jobs]
                means.append(average_tables(tables))
            orders = decode(average_tables(means))
            by_index |= dict(zip(self.store.data.indices(self.name, part), orders, strict=True))
        return [by_index[s] for s in range(len(by_index))]

    def best(self, column: Column, without: str) -> str:
        """Return the best single system other than ``without``; ``without`` itself if it is the only one."""
        others = [title for title in self.single if title != without]
        return max(others, key=lambda title: self.scores.cells[title][column].score, default=without)


def short(number: float) -> str:
    """Format a score without the leading zero."""
    return f"{number:.4f}".removeprefix("0")


def between(around: Interval) -> str:
    """Format an interval."""
    return "–".join(f"{end:.3f}".removeprefix("0") for end in (around.low, around.high))


def main_table(results: dict[str, Results], *, complete: bool = True) -> str:
    """Show tau and fuzzy score as in top-down BTG, of the systems that were run wherever they can be.

    If not ``complete``, show the other systems, which were run on some of the sets.
    """
    rows = [["", *(SETS[name].title for name in results)]]
    missing: set[str] = set()
    titles = [IDENTITY, *(system.title for system in SYSTEMS.values()), *AVERAGES, TREES]
    for title in titles:
        row = [title]
        reasons: set[str] = set()
        for name, result in results.items():
            if title in result.scores.cells:
                cells = result.scores.cells[title]
                row.append(f"{short(cells[TAU].score)} / {short(cells[FRS].score)}")
            else:
                reason = why_not(title, name)
                reasons.add(reason)
                row.append({"rules": "—¹", "automatic": "—²", "todo": ""}[reason])
        if any("/" in cell for cell in row[1:]) and complete == ("todo" not in reasons):
            rows.append(row)
            missing |= reasons
    notes = [
        f"{mark} {NOTES[reason]}."
        for mark, reason in (("¹", "rules"), ("²", "automatic"))
        if reason in missing
    ]
    return markdown_table(rows) + ("\n\n" + " ".join(notes) if notes else "")


def why_not(title: str, name: str) -> str:
    """Return why a set has no scores of a system."""
    system = next((row for row in SYSTEMS.values() if row.title == title), None)
    if system is None or system.multilingual or system.careful or system.runs_on(name):
        return "todo"
    return "automatic" if system.automatic else "rules"


def sets_table(store: Store) -> str:
    """Show the size of the training and test data."""
    rows = [["set", "trained on", "tested on", "links", "raw text", "automatic links"]]
    for name, test_set in SETS.items():
        tested = len(store.data.tested(name).sources)
        unit = "documents" if name.startswith("pud") else "blocks"
        trained = f"the others of {test_set.parts} parts, {unit}"
        if test_set.train:
            trained = str(len(store.data.training(name, 0).sources))
        automatic = len(store.data.automatic(name, "neural").sources)
        links = "manual" if test_set.manual else "automatic"
        raw = f"{len(store.data.raw(name)):,}"
        rows.append(
            [test_set.title, trained, str(tested), links, raw, f"{automatic:,}" if automatic else "—"]
        )
    return markdown_table(rows)


def trees_table(results: dict[str, Results]) -> str:
    """Show the ceiling of binary trees."""
    head = ["set", "not binary (nakagawa)", "(lader)", "(thesis)", "wider than 4 (thesis)"]
    rows = [[*head, "best tau", "best fuzzy", "lost tau", "lost fuzzy"]]
    for name, result in results.items():
        shares = [f"{result.ceiling.impossible[variant]:.1%}" for variant in ("nakagawa", "lader", "thesis")]
        wide = sum(size > 4 for size in result.largest) / len(result.largest)
        cells = [result.scores.cells[TREES][column].score for column in (TAU, FRS)]
        row = [SETS[name].title, *shares, f"{wide:.1%}", *map(short, cells)]
        rows.append([*row, *(short(1 - cell) for cell in cells)])
    return markdown_table(rows)


def detail_table(results: Results) -> str:
    """Show intervals, seeds and tests, with the measures of top-down BTG."""
    head = ["", "runs", "tau", "95 %", "seeds", "fuzzy", "95 %", "seeds"]
    rows = [[*head, "p none", "p grammar", "p best other"]]
    scores, grammar = results.scores, SYSTEMS["grammar"].title
    for title, cells in scores.cells.items():
        row = [title, str(results.runs(title) or "")]
        for column in (TAU, FRS):
            cell = cells[column]
            row += [short(cell.score), between(cell.interval)]
            row.append(f"{short(cell.low)}–{short(cell.high)}" if cell.high > cell.low else "")
        if title == TREES:
            rows.append([*row, "", "", ""])
            continue
        for other in (IDENTITY, grammar, None):
            baselines = {column: other or results.best(column, title) for column in (TAU, FRS)}
            if title in baselines.values() or any(name not in scores.cells for name in baselines.values()):
                row.append("")
            else:
                chances = [scores.p_value(name, title, column) for column, name in baselines.items()]
                row.append(" ".join(f"{p:.3f}".removeprefix("0") for p in chances))
        rows.append(row)
    return markdown_table(rows)


def variants_table(results: Results) -> str:
    """Show the measures of LADER and of the thesis."""
    columns = COLUMNS[2:]
    rows = [["", *(f"{variant} {name}" for variant, name in columns)]]
    for title, cells in results.scores.cells.items():
        row = [title]
        for column in columns:
            around = cells[column].interval
            row.append(f"{short(cells[column].score)} ({between(around)})")
        rows.append(row)
    return markdown_table(rows)
