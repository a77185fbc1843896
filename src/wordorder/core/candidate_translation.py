"""One candidate translation of a sentence, as decoders write them into n-best lists."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CandidateTranslation:
    """A translation of the sentence with this number, with its features and model score.

    A feature may have several values, such as the four of Moses' phrase table.
    """

    sentence: int
    text: str
    features: tuple[tuple[str, tuple[float, ...]], ...] = ()
    score: float | None = None
