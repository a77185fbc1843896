"""CandidateTranslation translations from files: n-best lists, JSON lines, or plain text."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import Any

from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.errors import BadFile, BadSetting
from wordorder.io.files import open_binary
from wordorder.io.lenient import Lenient
from wordorder.io.read_write import read_records, recognised

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
    with ExitStack() as stack:
        streams = []
        for path in paths:
            kind = form or candidate_format(path)
            if kind not in FORMATS:
                raise BadSetting(f"{path} is of the format {kind}; expected one of {', '.join(FORMATS)}")
            stream = _READERS[kind](path, per_sentence, lenient)
            stack.callback(stream.close)
            streams.append(_in_order(stream, path))
        merged = heapq.merge(*streams, key=lambda candidate: candidate.sentence)
        for sentence, group in groupby(merged, key=lambda candidate: candidate.sentence):
            yield sentence, list(group)


def candidate_format(path: str) -> str:
    """Recognise the format of a file with candidates."""
    with open_binary(path) as handle:
        kind = recognised(handle, path)[1]
    return kind if kind in ("nbest", "jsonl") else "text"


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


def _nbest(path: str, per_sentence: int, lenient: Lenient | None) -> Iterator[CandidateTranslation]:
    return read_records(path, "nbest", lenient=lenient)


def _text(path: str, per_sentence: int, lenient: Lenient | None) -> Iterator[CandidateTranslation]:
    size = max(per_sentence, 1)
    line = -1
    for line, text in enumerate(read_records(path, "text", lenient=lenient)):
        yield CandidateTranslation(line // size, text)
    if (line + 1) % size:
        raise BadFile(
            f"{line + 1} lines are not a multiple of {size} candidates per sentence", file=path, line=line + 1
        )


def _jsonl(path: str, per_sentence: int, lenient: Lenient | None) -> Iterator[CandidateTranslation]:
    """Read one object per candidate (text, sentence, features, score) or per sentence (candidates)."""
    for number, record in enumerate(read_records(path, "jsonl", lenient=lenient)):
        try:
            sentence = int(record.get("sentence", record.get("id", number)))
            if "candidates" in record:
                for item in record["candidates"]:
                    yield _candidate({"text": item} if isinstance(item, str) else item, sentence)
            else:
                yield _candidate(record, sentence)
        except (KeyError, TypeError, ValueError, AttributeError):
            keys = ", ".join(sorted(record)) or "none"
            raise BadFile(
                f"not a candidate: expected the keys text, sentence, features and score, or candidates; "
                f"found {keys}",
                file=path,
                line=number + 1,
            ) from None


def _candidate(record: dict[str, Any], sentence: int) -> CandidateTranslation:
    if not isinstance(record["text"], str):
        raise TypeError("text")
    features = tuple(
        (str(name), tuple(map(float, value)) if isinstance(value, list) else (float(value),))
        for name, value in (record.get("features") or {}).items()
    )
    score = record.get("score")
    return CandidateTranslation(sentence, record["text"], features, None if score is None else float(score))


_READERS: dict[str, Any] = {"nbest": _nbest, "jsonl": _jsonl, "text": _text}
