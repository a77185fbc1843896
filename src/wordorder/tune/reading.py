"""CandidateTranslation translations from files: n-best lists, JSON lines, or plain text."""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import Any

from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.errors import BadFile, BadSetting
from wordorder.io.files import open_binary
from wordorder.io.lenient import Lenient
from wordorder.io.packed import rejoined
from wordorder.io.registry import file_format
from wordorder.io.sniff import SAMPLE

FORMATS = ("nbest", "jsonl", "text")


def read_candidates(
    paths: Sequence[str],
    form: str | None = None,
    *,
    per_sentence: int = 0,
    lenient: Lenient | None = None,
) -> Iterator[tuple[int, list[CandidateTranslation]]]:
    """Yield the candidates of one sentence after the other, from all files together.

    N-best lists and JSON lines are recognised by their content. Files of plain text hold one candidate per
    sentence each, such as the output of one system, or ``per_sentence`` candidates for each sentence, one
    after the other. Only the candidates of one sentence are in memory at a time.
    """
    if not paths:
        raise BadSetting("no file with candidates")
    if list(paths).count("-") > 1:
        raise BadSetting("standard input (-) is given twice")
    with ExitStack() as stack:
        streams, plain = [], {}
        for path in paths:
            handle = stack.enter_context(open_binary(path))
            head = handle.read(SAMPLE)
            kind = form or candidate_format(head)
            if kind not in FORMATS:
                raise BadSetting(f"{path} is of the format {kind}; expected one of {', '.join(FORMATS)}")
            records = file_format(kind).read(rejoined(head, handle), path, lenient=lenient)
            if kind == "text":
                plain[path] = 0
                streams.append(_text(records, path, max(per_sentence, 1), plain))
            else:
                if per_sentence:
                    raise BadSetting(
                        f"{path} is of the format {kind}, which says which candidates belong to a sentence; "
                        "a number of candidates per sentence is for plain text"
                    )
                reader = records if kind == "nbest" else _jsonl(records, path)
                streams.append(_in_order(reader, path))
        merged = heapq.merge(*streams, key=lambda candidate: candidate.sentence)
        for sentence, group in groupby(merged, key=lambda candidate: candidate.sentence):
            yield sentence, list(group)
        if len(set(plain.values())) > 1:
            sizes = ", ".join(f"{path} {count}" for path, count in plain.items())
            raise BadSetting(f"files of plain text differ in the number of sentences: {sizes}")


def candidate_format(head: bytes) -> str:
    """Recognise the format by the first line that is not empty; the reader reports what is wrong with others.

    >>> [candidate_format(head) for head in (b"0 ||| a ||| LM0= 1", b'{"text": "a"}', b"a")]
    ['nbest', 'jsonl', 'text']
    """
    line = next((line for line in head.decode("utf-8", "replace").splitlines() if line.strip()), "")
    if re.match(r"\ufeff?\s*[0-9]+ \|\|\|", line):
        return "nbest"
    return "jsonl" if line.lstrip("\ufeff ").startswith("{") else "text"


def _in_order(candidates: Iterable[CandidateTranslation], path: str) -> Iterator[CandidateTranslation]:
    last = 0
    for candidate in candidates:
        if candidate.sentence < last:
            raise BadSetting(
                f"{path}: sentence {candidate.sentence} comes after sentence {last}; "
                "candidates must be sorted by sentence"
            )
        last = candidate.sentence
        yield candidate


def _text(
    lines: Iterable[str], path: str, size: int, sentences: dict[str, int]
) -> Iterator[CandidateTranslation]:
    """Read ``size`` candidates for each sentence, and note how many sentences there are."""
    count = 0
    for count, text in enumerate(lines, start=1):
        yield CandidateTranslation((count - 1) // size, text)
    if count % size:
        raise BadFile(
            f"{count} lines are not a multiple of {size} candidates per sentence", file=path, line=count
        )
    sentences[path] = count // size


def _jsonl(records: Iterable[dict[str, Any]], path: str) -> Iterator[CandidateTranslation]:
    """Read one object per candidate (text, sentence, features, score) or per sentence (candidates)."""
    for number, record in enumerate(records):
        try:
            sentence = record.get("sentence", record.get("id", number))
            if type(sentence) is not int or sentence < 0:
                raise TypeError("sentence")
            if "candidates" in record:
                for item in record["candidates"]:
                    yield _candidate({"text": item} if isinstance(item, str) else item, sentence)
            else:
                yield _candidate(record, sentence)
        except (KeyError, TypeError, ValueError, AttributeError):
            keys = ", ".join(sorted(record)) or "none"
            raise BadFile(
                "not a candidate: expected text without line breaks, sentence (a number from 0), "
                f"features and score (finite numbers), or candidates; found the keys {keys}",
                file=path,
                line=number + 1,
            ) from None


def _candidate(record: dict[str, Any], sentence: int) -> CandidateTranslation:
    text = record["text"]
    if not isinstance(text, str) or len(text.splitlines()) > 1:
        raise TypeError("text")
    features = tuple(
        (str(name), tuple(map(_number, value)) if isinstance(value, list) else (_number(value),))
        for name, value in (record.get("features") or {}).items()
    )
    score = record.get("score")
    return CandidateTranslation(sentence, text, features, None if score is None else _number(score))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("number")
    return float(value)
