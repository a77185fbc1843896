"""Judgments in whatever form they come."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import Any

from wordorder.errors import BadFile, BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.mqm import is_mqm, read_mqm
from wordorder.judge.mt_metrics_eval import is_mt_metrics_eval, read_mt_metrics_eval
from wordorder.judge.tables import is_table_folder, read_tables
from wordorder.judge.wmt_csv import is_darr, is_ranking_csv, read_rankings

Reader = Callable[..., list[Judgments]]

FOLDERS: tuple[tuple[str, Callable[[str], bool], Reader], ...] = (
    ("tables (pairs, rankings, da or mqm .tsv)", is_table_folder, read_tables),
    (
        "mt-metrics-eval (sources, system-outputs, human-scores)",
        is_mt_metrics_eval,
        read_mt_metrics_eval,
    ),
)
FILES: tuple[tuple[str, Callable[[str], bool], Reader], ...] = (
    ("MQM (system ... rater ... category severity)", is_mqm, read_mqm),
    ("WMT rankings (srclang,trglang, ... system1Id ... system1rank ...)", is_ranking_csv, read_rankings),
    ("preferences (lp data sid better worse)", is_darr, read_rankings),
)


def read_judgments(path: str, **options: Any) -> list[Judgments]:
    """Read a folder or a file of judgments; what it is, its content tells.

    Options go to the reader: ``texts``, ``testset``, ``merged`` (rankings), ``reference``,
    ``reference_file``, ``weights``, ``pair``, ``testset`` (MQM), ``human``, ``reference``, ``pairs``
    (mt-metrics-eval).
    """
    if not os.path.exists(path):
        raise BadFile("does not exist", file=path)
    forms = FOLDERS if os.path.isdir(path) else FILES
    for name, fits, reader in forms:
        if fits(path):
            known = list(inspect.signature(reader).parameters)[1:]
            for option in options:
                if option not in known:
                    listed = ", ".join(known) or "none"
                    raise BadSetting(f"{path} is {name}; options for it are {listed}, not {option}")
            return reader(path, **options)
    looked = "; ".join(name for name, _, _ in forms)
    what = "folder" if os.path.isdir(path) else "header line"
    raise BadFile(f"is no {what} of judgments that is known. Looked for: {looked}", file=path)
