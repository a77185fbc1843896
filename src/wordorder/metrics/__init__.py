"""Metrics of word order and of translation, behind one registry and one contract.

>>> from wordorder.metrics import metric
>>> metric("kendall")([1, 0, 2])
0.6666666666666666
>>> metric("kendall").corpus_score(["b a c"], [["a b c"]]).score
0.6666666666666666
"""

from typing import TYPE_CHECKING

from wordorder.metrics.base import Metric, Score
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import (
    from_signature,
    metric,
    metric_names,
    parse_metrics,
    register,
)

if TYPE_CHECKING:
    from wordorder.metrics.checks import check_metric

__all__ = [
    "Metric",
    "OrderingMetric",
    "Score",
    "check_metric",
    "from_signature",
    "metric",
    "metric_names",
    "parse_metrics",
    "register",
]


def __getattr__(name: str) -> object:
    if name != "check_metric":  # for those who write metrics, not for those who use them
        raise AttributeError(f"module 'wordorder.metrics' has no attribute {name!r}")
    from wordorder.metrics.checks import check_metric

    return check_metric
