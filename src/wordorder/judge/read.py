"""Reads judgments in any registered format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from wordorder.errors import BadFile, BadSetting
from wordorder.judge.formats.base import REGISTRY, JudgmentFormat
from wordorder.judge.judgments import Judgments

WHERE = "docs/judging.md says where judgments are published, and how to arrange the files"


def judgment_formats() -> list[type[JudgmentFormat]]:
    """Return all formats of judgments, including those of other packages.

    >>> [form.name for form in judgment_formats()]
    ['appraise', 'mqm', 'mt_metrics_eval', 'tables', 'wmt_csv', 'wmt_ratings']
    """
    return [REGISTRY.get(name) for name in REGISTRY.names()]


def sniff_judgments(path: str) -> type[JudgmentFormat] | None:
    """Return the format of a file or folder of judgments, or None if no format recognises it."""
    stored_as = "folder" if os.path.isdir(path) else "file"
    forms = (form for form in judgment_formats() if form.stored_as == stored_as)
    return next((form for form in forms if form.recognises(path)), None)


def read_judgments(path: str, **options: Any) -> list[Judgments]:
    """Read a folder or file of judgments, whose format is recognised by its contents.

    The options are the fields of the format, such as ``texts`` of rankings or ``reference`` of MQM.
    """
    if not os.path.exists(path):
        raise BadFile(f"does not exist; {WHERE}", file=path)
    form = sniff_judgments(path)
    if form is None:
        stored_as = "folder" if os.path.isdir(path) else "file"
        known = "; ".join(form.about for form in judgment_formats() if form.stored_as == stored_as)
        message = f"is not a {stored_as} of judgments in a known format. Known: {known}; {WHERE}"
        raise BadFile(message, file=path)
    names = form.option_names()
    for option in options:
        if option not in names:
            known = ", ".join(names) or "none"
            raise BadSetting(f"{path} has the format {form.name}, whose options are {known}, not {option}")
    return form(**options).read(path)


def read_sets(paths: Sequence[str], *, pairs: Sequence[str] = (), **options: Any) -> list[Judgments]:
    """Read several folders or files, keeping only the language pairs in ``pairs`` if there are any."""
    sets = [judgments for path in paths for judgments in read_judgments(path, **options)]
    available = sorted({judgments.pair for judgments in sets})
    for pair in pairs:
        if pair not in available:
            raise BadSetting(f"no judgments of {pair}; there are {', '.join(available) or 'none'}")
    if not sets:
        raise BadFile("has no judgments", file=", ".join(paths))
    return [judgments for judgments in sets if not pairs or judgments.pair in pairs]
