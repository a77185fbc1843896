"""The candidate lists of two systems: one that translates the source as it is, and one that preorders it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from experiments.tuning.kept_results import KeptResults
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.io.read_write import read_records
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.choice import choose_by_model
from wordorder.tune.reading import read_candidates
from wordorder.tune.weights import Weights, read_weights

ROUNDS = (1, 2, 3, 4)
PLACE = Path("nbest") / "kftt-en-ja"
SYSTEMS = {"base": "source as it is", "crf": "source preordered"}


@dataclass(frozen=True, eq=False)
class TunedSystem:
    """A system with lists of candidates to tune on and others to test on; files are read when needed."""

    folder: Path
    name: str
    kept: KeptResults = field(default_factory=KeptResults)

    def lines(self, name: str) -> list[str]:
        """Read a file of sentences."""
        return list(read_records(self._file(name), "text"))

    @cached_property
    def test(self) -> list[tuple[int, list[CandidateTranslation]]]:
        """The candidates to test on, by sentence."""
        return list(read_candidates([self._file(f"test.{self.name}.nbest")]))

    @cached_property
    def last_round(self) -> list[tuple[int, list[CandidateTranslation]]]:
        """The candidates of the last round of tuning, by sentence."""
        return list(read_candidates([self._file(f"tune.{self.name}.round{ROUNDS[-1]}.nbest")]))

    @cached_property
    def start(self) -> Weights:
        """The weights with which tuning begins."""
        file = f"{self.name}.start-weights.txt"
        return read_weights(self.lines(file), file)

    @cached_property
    def tuning(self) -> CandidateLists:
        """The candidates of all rounds of tuning, without repetitions."""
        groups = read_candidates([self._file(f"tune.{self.name}.round{k}.nbest") for k in ROUNDS])
        return CandidateLists.of(candidate for _, group in groups for candidate in group)

    @cached_property
    def tuning_references(self) -> list[str]:
        """The references of the tuning set."""
        return self.lines("tune.ja")

    @cached_property
    def references(self) -> list[str]:
        """The references of the test set."""
        return self.lines("test.ja")

    @cached_property
    def sources(self) -> list[str]:
        """The sources of the test set."""
        return self.lines("test.en")

    def chosen(self, weights: Weights) -> list[str]:
        """Return the candidates of the test lists that some weights choose."""
        return [choice.ranked[0].text for choice in choose_by_model(self.test, weights)]

    def _file(self, name: str) -> str:
        """Return the path of a file, which may be compressed."""
        path = self.folder / PLACE / name
        return str(path if path.exists() else path.with_name(f"{name}.gz"))
