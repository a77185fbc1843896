"""Metrics that can compare a text with the expected n-gram counts of many references at once."""

from __future__ import annotations

from abc import ABC, abstractmethod

from wordorder.arrays import Doubles
from wordorder.text.weighted_lists import WeightedLists


class AggregatesReferences(ABC):
    """A metric of n-gram counts.

    Its statistics against one reference are also defined for expected counts, which need not be whole
    numbers: a text then has one comparison instead of one for each reference (DeNero et al. 2009; Vamvas
    and Sennrich 2024).
    """

    @abstractmethod
    def aggregate_statistics(self, lists: WeightedLists) -> Doubles:
        """Compute the statistics of each text against the expected counts of its list."""
