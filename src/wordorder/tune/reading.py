"""Candidate translations from files: n-best lists, JSON lines, or plain text."""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import IO, Any

from wordorder import _native
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.errors import BadFile, BadSetting
from wordorder.io.base import Problem
from wordorder.io.files import open_binary
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import Block, cut_blocks, not_utf8, shown
from wordorder.io.nbest import NBest
from wordorder.io.packed import rejoined
from wordorder.io.registry import file_format
from wordorder.io.sniff import SAMPLE
from wordorder.tune.candidate_lists import CandidateLists, add_candidate

FORMATS = ("nbest", "jsonl", "text")
MOST_SENTENCES = 1_000_000_000


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
    with ExitStack() as stack:
        streams, plain = [], {}
        for path, kind, handle in open_lists(stack, paths, form):
            records = file_format(kind).read(handle, path, lenient=lenient)
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


def collect_candidates(
    paths: Sequence[str], *, references: Sequence[str] | None = None, lenient: Lenient | None = None
) -> CandidateLists:
    """Read all candidates of some files into arrays; for sentences and repetitions, see CandidateLists.

    Lines of n-best lists are read by a kernel, as far as they are plain; the format reads all others.
    """
    table = _native.CandidateTable()
    with ExitStack() as stack:
        for path, kind, handle in open_lists(stack, paths):
            if kind == "nbest":
                for block in cut_blocks(handle, path):
                    _add_block(table, block, lenient)
                continue
            records = file_format(kind).read(handle, path, lenient=lenient)
            for candidate in _text(records, path, 1, {}) if kind == "text" else _jsonl(records, path):
                try:
                    add_candidate(table, candidate)
                except BadSetting as error:
                    raise BadFile(error.message, file=path) from None
    if not len(table) and lenient and lenient.total:
        raise lenient.nothing_left()
    try:
        return CandidateLists.from_table(table, references)
    except BadSetting as error:
        raise BadFile(error.message, file=", ".join(paths)) from None


def _add_block(table: _native.CandidateTable, block: Block, lenient: Lenient | None) -> None:
    """Add lines of an n-best list; those that the kernel does not read, one by one."""
    text, done, number = block.text, 0, block.first_line
    plain = _is_utf8(text)
    while done < len(text):
        stop = table.add_lines(text, done) if plain else done
        number += text.count(b"\n", done, stop)
        done = text.find(b"\n", stop) + 1 or len(text)
        if stop < len(text):
            problem = _add_line(table, text[stop:done], block.file, number)
            if problem and not lenient:
                raise problem
            if problem and lenient:
                lenient.skip(problem)
            number += 1


def _add_line(table: _native.CandidateTable, line: bytes, file: str, number: int) -> BadLine | None:
    try:
        add_candidate(table, NBest().parse(line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")))
    except UnicodeDecodeError as error:
        return not_utf8(error, file, number)
    except Problem as problem:
        return problem.at(file, number)
    except BadSetting as error:
        return BadLine(error.message, file=file, line=number, reason="features that do not fit")
    return None


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def open_lists(
    stack: ExitStack, paths: Sequence[str], form: str | None = None
) -> Iterator[tuple[str, str, IO[bytes]]]:
    """Open files with candidates and recognise their formats."""
    if not paths:
        raise BadSetting("no file with candidates")
    if list(paths).count("-") > 1:
        raise BadSetting("standard input (-) is given twice")
    for path in paths:
        handle = stack.enter_context(open_binary(path))
        head = handle.read(SAMPLE)
        if not head.strip():
            raise BadFile("is empty; expected candidates", file=path)
        kind = form or candidate_format(head)
        if kind not in FORMATS:
            raise BadSetting(f"{path} is of the format {kind}; expected one of {', '.join(FORMATS)}")
        yield path, kind, rejoined(head, handle)


def candidate_format(head: bytes) -> str:
    """Recognise the format by the first line that is not empty; the reader reports what is wrong with others.

    >>> [candidate_format(head) for head in (b"0 ||| a ||| LM0= 1", b'{"text": "a"}', b"a")]
    ['nbest', 'jsonl', 'text']
    """
    line = next((line for line in head.decode("utf-8", "replace").splitlines() if line.strip()), "")
    if re.match(r"\ufeff?\s*[0-9]+ \|\|\|", line):
        return "nbest"
    if re.match(r"\ufeff?\s*\[\s*\{\s*\"", line):
        return "JSON array"
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
    numbered = None
    for number, record in enumerate(records):
        try:
            sentence = record.get("sentence", record.get("id"))
            if numbered not in (None, sentence is not None):
                raise TypeError("some lines have a sentence, and others have none")
            numbered = sentence is not None
            if sentence is None:
                sentence = number  # one line per sentence
            if type(sentence) is not int or not 0 <= sentence < MOST_SENTENCES:
                raise TypeError(f"sentence is {sentence!r}; expected a number from 0 to {MOST_SENTENCES:,}")
            items = [record]
            if "candidates" in record:
                items = record["candidates"]
                if not isinstance(items, list):
                    raise TypeError("candidates is not a list")
            for item in items:
                yield _candidate({"text": item} if isinstance(item, str) else item, sentence)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            missing = isinstance(error, KeyError)
            keys = f"there is no {error.args[0]}; found the keys {', '.join(sorted(record)) or 'none'}"
            reason = keys if missing else str(error)
            raise BadFile(f"not a candidate: {reason}", file=path, line=number + 1) from None


def _candidate(record: dict[str, Any], sentence: int) -> CandidateTranslation:
    text = record["text"]
    if not isinstance(text, str):
        raise TypeError(f"text is {text!r}; expected a string")
    if "\n" in text or "\r" in text:
        raise TypeError(f"the text {shown(text)} has a line break; replace or remove it")
    features = tuple(
        (_name(name), tuple(map(_number, value if isinstance(value, list) else [value])))
        for name, value in (record.get("features") or {}).items()
    )
    score = record.get("score")
    return CandidateTranslation(sentence, text, features, None if score is None else _number(score))


def _name(name: str) -> str:
    if len(name.split()) != 1:
        raise TypeError(f"a feature is called {name!r}; expected a name without spaces")
    return name


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"{value!r} is not a finite number")
    return float(value)
