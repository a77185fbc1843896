"""The tables of docs/make_crf.py, from what is stored."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from crf_jobs import SYSTEMS, Job, Store, Tables, averaged, decoded
from crf_scores import COLUMNS, Board, Ceiling, Column, Orders, ceiling, score, widest_operators
from crf_sets import SETS

from wordorder.core.permutation import Permutation
from wordorder.core.resample import Interval

TAU, FRS = COLUMNS[0], COLUMNS[1]
IDENTITY, TREES = "no reordering", "best binary tree"
# What an average is made of; the last of its systems that a set has counts for those with further text.
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
}
NOTES = {
    "rules": "no gold trees, or no such rules for this language",
    "automatic": "no text with automatic links in this language",
    "todo": "not run",
}


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A table, its head first."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tables(store: Store, seeds: Sequence[int]) -> dict[str, str]:
    """All tables by the names of their places on the page."""
    names = list(SETS)
    boards = {name: Results(store, name, seeds) for name in names}
    made = {"main": main_table(boards), "sets": sets_table(store), "trees": trees_table(boards)}
    for name, results in boards.items():
        made[name] = f"{results.title}\n\n{detail_table(results)}\n\n{variants_table(results)}"
    return made


class Results:
    """Everything that is stored of one set, scored."""

    def __init__(self, store: Store, name: str, seeds: Sequence[int]) -> None:
        self.store, self.name = store, name
        self.corpus = store.data.tested(name)
        words = [one.words for one in self.corpus.sources]
        self.seeds = {
            system: [seed for seed in SYSTEMS[system].seeds(seeds) if self._complete(system, seed)]
            for system in SYSTEMS
        }
        self.ceiling: Ceiling = ceiling(self.corpus.alignments, words)
        self.widest = widest_operators(self.corpus.alignments)
        still = [Permutation.identity(len(one)) for one in words]
        runs: dict[str, list[Orders]] = {IDENTITY: [still]}
        for system, some in self.seeds.items():
            if some:
                runs[SYSTEMS[system].title] = [self._orders(system, seed) for seed in some]
        self.single = list(runs)
        self.members: dict[str, int] = {}
        for title, groups in AVERAGES.items():
            chosen = [next((one for one in reversed(group) if self.seeds[one]), "") for group in groups]
            if all(chosen) and sum(len(self.seeds[one]) for one in chosen) > 1:
                runs[title] = [self._averaged(chosen)]
                self.members[title] = sum(len(self.seeds[one]) for one in chosen)
        columns: dict[str, dict[Column, Sequence[Orders]]] = {
            title: dict.fromkeys(COLUMNS, some) for title, some in runs.items()
        }
        columns[TREES] = {column: [self.ceiling.orders[column]] for column in COLUMNS}
        self.board: Board = score(self.corpus.alignments, words, columns)

    @property
    def title(self) -> str:
        """What was tested."""
        links = "manual" if SETS[self.name].manual else "automatic"
        used = self.board.used["nakagawa"]
        size = len(self.corpus.sources)
        return f"**{SETS[self.name].title}**: {size} sentences, {links} links, {used} of them consistent"

    def runs(self, title: str) -> int:
        """How many trainings are behind a row."""
        system = next((name for name, one in SYSTEMS.items() if one.title == title), None)
        return len(self.seeds[system]) if system else self.members.get(title, 0)

    def _jobs(self, system: str, seed: int) -> list[Job]:
        # One training on all languages serves several sets; ATIS is tested in its first part.
        return [Job(system, self.name, part, seed) for part in range(SETS[self.name].parts)]

    def _complete(self, system: str, seed: int) -> bool:
        return all(self.store.path(job, self.name).exists() for job in self._jobs(system, seed))

    def _orders(self, system: str, seed: int) -> Orders:
        found: dict[int, Permutation] = {}
        for job in self._jobs(system, seed):
            orders, _, about = self.store.read(job, self.name)
            if about.get("settings", now := SYSTEMS[system].signature) != now:
                print(f"{job} was made with other settings: {about['settings']}", file=sys.stderr)
            found |= dict(zip(self.store.data.places(self.name, job.part), orders, strict=True))
        return [found[s] for s in range(len(found))]

    def _averaged(self, systems: Sequence[str]) -> Orders:
        """Orders from the mean of the tables; each system counts as much, however many seeds it has."""
        found: dict[int, Permutation] = {}
        for part in range(SETS[self.name].parts):
            means: list[Tables] = []
            for system in systems:
                some = (Job(system, self.name, part, seed) for seed in self.seeds[system])
                means.append(averaged([self.store.read(job, self.name, tables=True).tables for job in some]))
            orders = decoded(averaged(means))
            found |= dict(zip(self.store.data.places(self.name, part), orders, strict=True))
        return [found[s] for s in range(len(found))]

    def best(self, column: Column, without: str) -> str:
        """The best single system other than the one given; that itself if it is the only one."""
        others = [title for title in self.single if title != without]
        return max(others, key=lambda title: self.board.cells[title][column].score, default=without)


def short(number: float) -> str:
    """A score without the zero in front."""
    return f"{number:.4f}".removeprefix("0")


def between(around: Interval) -> str:
    """An interval."""
    return "–".join(f"{end:.3f}".removeprefix("0") for end in (around.low, around.high))


def main_table(boards: dict[str, Results]) -> str:
    """All systems on all sets: tau and fuzzy score as top-down BTG counts them."""
    rows = [["", *(SETS[name].title for name in boards)]]
    missing: set[str] = set()
    titles = [IDENTITY, *(one.title for one in SYSTEMS.values()), *AVERAGES, TREES]
    for title in titles:
        row = [title]
        for name, results in boards.items():
            if title in results.board.cells:
                cells = results.board.cells[title]
                row.append(f"{short(cells[TAU].score)} / {short(cells[FRS].score)}")
            else:
                reason = why_not(title, name)
                missing.add(reason)
                row.append({"rules": "—¹", "automatic": "—²", "todo": ""}[reason])
        if any("/" in cell for cell in row[1:]):
            rows.append(row)
    notes = [
        f"{mark} {NOTES[reason]}."
        for mark, reason in (("¹", "rules"), ("²", "automatic"))
        if reason in missing
    ]
    return markdown(rows) + ("\n\n" + " ".join(notes) if notes else "")


def why_not(title: str, name: str) -> str:
    """Why a set has no figures of a system."""
    system = next((one for one in SYSTEMS.values() if one.title == title), None)
    if system is None or system.several or system.careful or system.runs_on(name):
        return "todo"
    return "automatic" if system.automatic else "rules"


def sets_table(store: Store) -> str:
    """What is learned from, and what is tested."""
    rows = [["set", "trained on", "tested on", "links", "raw text", "automatic links"]]
    for name, one in SETS.items():
        tested = len(store.data.tested(name).sources)
        train = len(store.data.learned_from(name, 0).sources)
        how = (
            f"{train}"
            if one.train
            else f"the others of {one.parts} parts, {'documents' if name.startswith('pud') else 'blocks'}"
        )
        automatic = len(store.data.automatic(name, "neural").sources)
        links = "manual" if one.manual else "automatic"
        raw = f"{len(store.data.raw(name)):,}"
        rows.append([one.title, how, str(tested), links, raw, f"{automatic:,}" if automatic else "—"])
    return markdown(rows)


def trees_table(boards: dict[str, Results]) -> str:
    """What binary trees can and cannot do."""
    head = ["set", "not binary (nakagawa)", "(lader)", "(thesis)", "wider than 4 (thesis)"]
    rows = [[*head, "best tau", "best fuzzy", "lost tau", "lost fuzzy"]]
    for name, one in boards.items():
        shares = [f"{one.ceiling.impossible[variant]:.1%}" for variant in ("nakagawa", "lader", "thesis")]
        wide = sum(n > 4 for n in one.widest) / len(one.widest)
        cells = [one.board.cells[TREES][column].score for column in (TAU, FRS)]
        row = [SETS[name].title, *shares, f"{wide:.1%}", *map(short, cells)]
        rows.append([*row, *(short(1 - cell) for cell in cells)])
    return markdown(rows)


def detail_table(results: Results) -> str:
    """Intervals, seeds and tests, by the counting of top-down BTG."""
    head = ["", "runs", "tau", "95 %", "seeds", "fuzzy", "95 %", "seeds"]
    rows = [[*head, "p none", "p grammar", "p best other"]]
    board, grammar = results.board, SYSTEMS["grammar"].title
    for title, cells in board.cells.items():
        row = [title, str(results.runs(title) or "")]
        for column in (TAU, FRS):
            cell = cells[column]
            row += [short(cell.score), between(cell.interval)]
            row.append(f"{short(cell.low)}–{short(cell.high)}" if cell.high > cell.low else "")
        if title == TREES:
            rows.append([*row, "", "", ""])
            continue
        for other in (IDENTITY, grammar, None):
            against = [other or results.best(column, title) for column in (TAU, FRS)]
            if title in against or any(one not in board.cells for one in against):
                row.append("")
            else:
                ps = [board.p(one, title, column) for one, column in zip(against, (TAU, FRS), strict=True)]
                row.append(" ".join(f"{p:.3f}".removeprefix("0") for p in ps))
        rows.append(row)
    return markdown(rows)


def variants_table(results: Results) -> str:
    """The same by the counting of LADER and of the thesis."""
    columns = COLUMNS[2:]
    rows = [["", *(f"{variant} {one}" for variant, one in columns)]]
    for title, cells in results.board.cells.items():
        row = [title]
        for column in columns:
            around = cells[column].interval
            row.append(f"{short(cells[column].score)} ({between(around)})")
        rows.append(row)
    return markdown(rows)
