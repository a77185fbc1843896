"""Metrics of wordorder for the package evaluate of Hugging Face; loaded from a folder, without a network.

metric = evaluate.load("path/to/this/folder", "kendall")
metric.compute(predictions=["b a c"], references=["a b c"])
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from wordorder.integrations.evaluate_module import compute, describe


class WordOrder(evaluate.Metric):
    """The metrics that the name of the configuration lists."""

    def _info(self) -> Any:
        text = datasets.Value("string")
        features = [
            datasets.Features({"predictions": text, "references": kind})
            for kind in (datasets.Sequence(text), text)
        ]
        return evaluate.MetricInfo(features=features, **describe(self.config_name))

    def _compute(self, predictions: Any, references: Any, **settings: Any) -> dict[str, Any]:
        return compute(self.config_name, predictions, references, settings)
