"""The contract of a format of judgments, as a check that runs on any class."""

from __future__ import annotations

import dataclasses

import numpy as np

from wordorder.judge.formats.base import JudgmentFormat
from wordorder.judge.judgments import Judgments


def check_judgment_format(form: JudgmentFormat | type[JudgmentFormat], path: str) -> list[Judgments]:
    """Check a format on an example file or folder, and return the judgments that it reads."""
    reader = form() if isinstance(form, type) else form
    _require(reader.name.isidentifier() and reader.name.islower(), reader, "its name is not lower_case")
    _require(bool(reader.about) and "\n" not in reader.about, reader, "its description is not one line")
    _require(reader.stored_as in ("file", "folder"), reader, "it is stored neither as a file nor as a folder")
    _require(bool(type(reader).__doc__), reader, "it has no docstring")
    frozen = dataclasses.is_dataclass(reader) and reader.__dataclass_params__.frozen  # type: ignore[attr-defined]
    _require(frozen, reader, "it is not a frozen dataclass, so its options could change between files")
    _require(reader.recognises(path), reader, f"it does not recognise {path}")
    sets = reader.read(path)
    _require(len(sets) > 0, reader, f"it reads no judgments from {path}")
    for judgments in sets:
        _check_items(reader, judgments)
    return sets


def _check_items(reader: JudgmentFormat, judgments: Judgments) -> None:
    """Check that items are sorted and unique, and that all judgments refer to items."""
    keys = judgments.item_segment * len(judgments.systems) + judgments.item_system
    _require(len(keys) == len(judgments.outputs), reader, "it has another number of outputs than of items")
    _require(bool((np.diff(keys) > 0).all()), reader, "its items are not sorted, or not unique")
    for stream in judgments.references:
        _require(len(stream) == len(judgments.segments), reader, "a segment has no reference")
    pairs, ratings = judgments.preferences, judgments.ratings
    items = [*([pairs.first, pairs.second] if pairs else []), *([ratings.item] if ratings else [])]
    _require(bool(items) or not judgments.outputs, reader, "it has neither preferences nor ratings")
    for numbers in items:
        fits = bool(((numbers >= 0) & (numbers < len(keys))).all())
        _require(fits, reader, "a judgment refers to an item that does not exist")


def _require(holds: bool, reader: JudgmentFormat, promise: str) -> None:
    if not holds:
        raise AssertionError(f"{type(reader).__name__}: {promise}")
