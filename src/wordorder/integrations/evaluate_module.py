"""What the module for Hugging Face evaluate computes; the module itself is a script in assets/."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wordorder.errors import BadSetting
from wordorder.integrations.texts import as_numbers, labelled_metrics, score_texts, single_spaced
from wordorder.io.files import open_output
from wordorder.metrics.registry import metric_names, parse_metrics

CITATION = """\
@software{wordorder,
  author = {{The wordorder authors}},
  title = {wordorder: word order in translation, measured, explained and predicted}
}
"""
SCRIPT = Path(__file__).with_name("assets") / "evaluate_script.py"
DEFAULT = "default"  # what evaluate calls a module without the name of a configuration
INPUTS = """\
predictions: a list of texts. references: one text for each prediction, or a list of several texts.
Settings of the metrics may be given as keywords, such as tokenize='none'.
Returns a dictionary: the score by each metric, matched (the share of matched words), and signatures.
"""


def describe(config: str) -> dict[str, Any]:
    """Return the description of a configuration; one that is not a list of metrics is an error."""
    chosen = _metrics(config, {})
    listed = [f"{label}: {(type(m).__doc__ or '').strip().splitlines()[0]}" for label, m in chosen.items()]
    return {"description": "\n".join(listed), "citation": CITATION, "inputs_description": INPUTS}


def compute(
    config: str,
    predictions: Sequence[str],
    references: Sequence[str | Sequence[str]],
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Score predictions by the metrics of a configuration, such as ``kendall,recpef:beta=0.5``.

    >>> found = compute("kendall", ["b a c"], [["a b c", "x"]], {"scale": "tau"})
    >>> round(found["kendall:scale=tau"], 4), found["matched"]
    (0.3333, 1.0)
    """
    chosen = list(_metrics(config, settings).values())
    rows = [
        single_spaced(one) if isinstance(one, str) else [single_spaced(text) for text in one]
        for one in references
    ]
    scores = score_texts(chosen, [single_spaced(text) for text in predictions], rows)
    return {**as_numbers(scores), "signatures": {label: score.signature for label, score in scores.items()}}


def _metrics(config: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    if config == DEFAULT:
        raise BadSetting(
            f"name the metrics: evaluate.load(FOLDER, 'kendall,recpef'). Known: {', '.join(metric_names())}."
        )
    chosen = parse_metrics([config], settings)
    for key in settings:
        if not any(key in m.setting_names() for m in chosen):
            raise BadSetting(f"no metric of {config} has a setting {key!r}")
    return labelled_metrics(chosen)


def write_module(folder: str) -> Path:
    """Write the module into a folder; evaluate wants the script to have the name of its folder."""
    place = Path(folder)
    name = place.resolve().name
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise BadSetting(
            f"the folder {name!r} gives its name to a Python file; expected letters, digits and _"
        )
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{name}.py"
    with open_output(str(path)) as out:
        out.write(SCRIPT.read_bytes())
    return path
