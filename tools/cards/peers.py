"""Other programs that compute a score: the rows of peers.toml, and the programs themselves.

A row names the function of definitions.py that restates the program's definition. Where the program
can be imported, REAL runs it, and ``python -m tools.cards.build --check-peers`` compares the two.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

from tools.cards import definitions
from tools.cards.definitions import Order, pairs
from wordorder.metrics import metric
from wordorder.metrics.ordering import OrderingMetric

Function = Callable[[Order], float]
EXAMPLES: tuple[Order, Order] = ((2, 0, 1, 3), (1, 3, 4, 5, 0, 2))
TABLE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, kw_only=True)
class Peer:
    """A row of the table: who computes what, and how that is known."""

    who: str
    what: str
    known: Literal["run", "golden", "paper", "read"]  # explained in templates/README.template
    value: str = ""  # the function of definitions.py that restates it; empty: our metric `same`
    same: str = ""  # the metric of ours that gives the same for every permutation
    least: int = 2  # the fewest words for which that holds

    @property
    def function(self) -> Function:
        """The restated definition."""
        restated: Function = getattr(definitions, self.value) if self.value else partial(ours, self.same)
        return restated

    @property
    def package(self) -> str:
        """The package of the program, if it can be imported."""
        return self.who.split()[0].lower().rstrip(",") if self.known == "run" else ""

    @property
    def real(self) -> Function:
        """The program itself, imported when it is called."""
        return REAL[self.value]


def peers() -> dict[str, list[Peer]]:
    """Read the rows of peers.toml by metric."""
    rows = tomllib.loads(TABLE.read_text("utf-8"))
    return {name: [Peer(**row) for row in rows[name]] for name in rows}


@cache
def ordering_metric(spec: str) -> OrderingMetric:
    """Create an ordering metric from its specification."""
    created = metric(spec)
    assert isinstance(created, OrderingMetric), f"{spec} does not score permutations"
    return created


def ours(spec: str, p: Order) -> float:
    """Compute our own score; for BEER 1.1 our variant, which tests/golden compares with the program."""
    return ordering_metric(spec)(p)


# ----- the programs themselves


def _scipy_stats(name: str, p: Order) -> float:
    stats: Any = import_module("scipy.stats")
    return float(getattr(stats, name)(range(len(p)), p).statistic)


def _scipy_distance(name: str, p: Order) -> float:
    distance: Any = import_module("scipy.spatial.distance")
    return float(getattr(distance, name)(p, range(len(p))))


def _nltk_ribes(name: str, p: Order) -> float:
    ribes: Any = import_module("nltk.translate.ribes_score")
    return float(getattr(ribes, name)(list(p)))


def _nltk_runs(p: Order) -> float:
    """The tau of NLTK before pull request 3900, from the function that it was built on."""
    ribes: Any = import_module("nltk.translate.ribes_score")
    return sum(map(pairs, ribes.find_increasing_sequences(list(p)))) / pairs(p)


def _nltk_fragmentation(p: Order) -> float:
    meteor: Any = import_module("nltk.translate.meteor_score")
    return float(meteor._count_chunks(list(enumerate(p))) / len(p))


def _permuta(entry: str, p: Order) -> float:
    permuta: Any = import_module("permuta")
    statistics: Any = import_module("permuta.permutils.statistics")
    return float(dict(statistics.PermutationStatistic._STATISTICS)[entry](permuta.Perm(p)))


def _permuta_separable(p: Order) -> float:
    perm: Any = import_module("permuta").Perm
    return float(perm(p).avoids(perm((1, 3, 0, 2)), perm((2, 0, 3, 1))))


REAL: dict[str, Function] = {
    "tau": partial(_scipy_stats, "kendalltau"),
    "rho": partial(_scipy_stats, "spearmanr"),
    "summed_moves": partial(_scipy_distance, "cityblock"),
    "out_of_place": partial(_scipy_distance, "hamming"),
    "in_order": partial(_nltk_ribes, "kendall_tau"),
    "rho_from_zero": partial(_nltk_ribes, "spearman_rho"),
    "inside_runs": _nltk_runs,
    "fragmentation": _nltk_fragmentation,
    "inversions": partial(_permuta, "Number of inversions"),
    "fixed_points": partial(_permuta, "Number of fixed points"),
    "depth": partial(_permuta, "Depth"),
    "longest_run": partial(_permuta, "Longest increasing subsequence"),
    "largest_lead": partial(_permuta, "Maximum drop size"),
    "separable": _permuta_separable,
}


# ----- checks


def differences(peer: Peer, other: Function) -> Iterator[str]:
    """List where a restated definition and another function differ, on permutations of up to five words."""
    small = [p for n in range(peer.least, 6) for p in permutations(range(n))]
    for p in (*small, *EXAMPLES):
        restated, computed = float(peer.function(p)), float(other(p))
        if not abs(restated - computed) < 1e-9:
            yield f"{peer.who}, {' '.join(map(str, p))}: restated {restated}, computed {computed}"


def wrong_settings() -> list[str]:
    """List the rows that name a setting of ours with another result."""
    named = (peer for rows in peers().values() for peer in rows if peer.value and peer.same)
    return [wrong for peer in named for wrong in list(differences(peer, partial(ours, peer.same)))[:1]]


def wrong_definitions(package: str) -> list[str]:
    """List the definitions that differ from what the package computes."""
    named = (peer for rows in peers().values() for peer in rows if peer.package == package)
    return [wrong for peer in named for wrong in list(differences(peer, peer.real))[:1]]


def packages() -> dict[str, bool]:
    """List the packages of programs that can be run, and whether each is installed."""
    names = {peer.package for rows in peers().values() for peer in rows if peer.package}
    return {name: find_spec(name) is not None for name in sorted(names)}
