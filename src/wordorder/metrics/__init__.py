"""Scores of word order, behind one registry and one contract.

>>> from wordorder.metrics import metric
>>> metric("kendall")([1, 0, 2])
0.6666666666666666
"""

from wordorder.metrics.base import Metric, OrderingMetric, Score
from wordorder.metrics.checks import check_metric
from wordorder.metrics.registry import (
    from_signature,
    metric,
    metric_names,
    parse_metrics,
    register,
)
from wordorder.metrics.text import TextMetric, TextScore, text_metric

__all__ = [
    "Metric",
    "OrderingMetric",
    "Score",
    "TextMetric",
    "TextScore",
    "check_metric",
    "from_signature",
    "metric",
    "metric_names",
    "parse_metrics",
    "register",
    "text_metric",
]
