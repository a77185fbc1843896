"""The language pair and the test set that the name of a file of judgments tells."""

from __future__ import annotations

import os
import re

from wordorder.text.languages import language_code

UNKNOWN = "?-?", "-"
# mqm_newstest2021_ende.tsv, mqm_ted_zhen.avg_seg_scores.tsv, mqm_test_eng-deu.tsv
_MQM = re.compile(
    r"mqm[-_]([^.]+)[-_]([a-z]{2}-?[a-z]{2}|[a-z]{3}-?[a-z]{3}|[a-z]{2,3}-[a-z]{2,3})(?=[._]|$)"
)
# ad-seg-scores-cs-en.csv, wmt24.en-bho.esa.csv
_PAIR = re.compile(r"(?<![a-z])([a-z]{2,3})-([a-z]{2,3})(?=[._]|$)")


def told_by_name(path: str) -> tuple[str, str]:
    """Return the language pair and the test set; ``?-?`` and ``-`` if the name does not tell them.

    >>> told_by_name("mqm_newstest2021_ende.tsv"), told_by_name("ad-seg-scores-ces-en.csv")
    (('en-de', 'newstest2021'), ('cs-en', '-'))
    """
    name = os.path.basename(path)
    if match := _MQM.search(name):
        codes = match[2].split("-") if "-" in match[2] else _halves(match[2])
        return "-".join(map(language_code, codes)), match[1]
    if match := _PAIR.search(name):
        return "-".join(map(language_code, match.groups())), "-"
    return UNKNOWN


def _halves(codes: str) -> list[str]:
    return [codes[: len(codes) // 2], codes[len(codes) // 2 :]]
