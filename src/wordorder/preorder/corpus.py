"""Reading sentences for preorderers from files: words, parses and alignments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile
from wordorder.io.aligned import alignment_format, fitted
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import split_words
from wordorder.io.parallel import FileSource, read_parallel
from wordorder.io.shards import find_shards, is_sharded
from wordorder.preorder.source import Source


class NumberedSource(NamedTuple):
    """A sentence, its number in its files from 1 (counting skipped ones), and records of other files."""

    number: int
    source: Source
    beside: tuple[Any, ...] = ()


def read_sources(
    source: str | None,
    *,
    align: str | None = None,
    target: str | None = None,
    parse: str | None = None,
    form: str = "pharaoh",
    beside: Sequence[FileSource] = (),
    lenient: Lenient | None = None,
) -> Iterator[NumberedSource]:
    """Yield sentences from a text file, a CoNLL-U file (``parse``) or both, with links if ``align`` is given.

    The source word of every link must exist; with ``target``, the text of the translation, so must its
    target word. Files in ``beside`` are read in parallel. Errors name file and line.
    """
    files: list[FileSource] = [(source, "text")] if source else []
    files += [(parse, "conllu")] if parse else []
    links = alignment_format(form) if align else None
    files += [(align, links)] if align and links else []
    files += [target] if target else []
    files += beside
    for number, row in read_parallel(files, lenient=lenient):
        records = list(row)
        text = records.pop(0) if source else None
        tree = records.pop(0) if parse else None
        try:
            words = split_words(text) if text is not None else list(tree.forms) if tree else []
            if tree is not None and text is not None and tree.forms != words:
                raise _other_words(words, tree.forms, str(parse), tree.line)
            alignment = None
            if align and links:
                record = records.pop(0)
                size = len(split_words(records.pop(0))) if target else target_size(record)
                alignment = fitted(record, len(words), size, path=align, form=links, number=number)
        except BadLine as bad:
            if lenient is None:
                raise
            lenient.skip(bad)
        else:
            yield NumberedSource(
                number, Source(tuple(words), parse=tree, alignment=alignment), tuple(records)
            )


def read_training(
    source: str,
    align: str,
    *,
    target: str | None = None,
    parse: str | None = None,
    languages: str | None = None,
    form: str = "pharaoh",
    lenient: Lenient | None = None,
) -> tuple[list[Source], list[Alignment]]:
    """Read all sentences and their alignments, to learn from; an empty file is an error.

    ``parse`` contains the parses of the sentences (CoNLL-U), for methods that use them; ``languages`` is a
    file with the target language of each sentence, one per line. Folders and patterns mean many files, which
    are read one after another.
    """
    sources: list[Source] = []
    alignments: list[Alignment] = []
    given = {"source": source, "align": align, "target": target, "parse": parse, "languages": languages}
    files = {kind: path for kind, path in given.items() if path}
    many = any(is_sharded(path) for path in files.values())
    for shard in [shard.files for shard in find_shards(files)] if many else [files]:
        tags = shard.get("languages")
        for row in read_sources(
            shard["source"],
            align=shard["align"],
            target=shard.get("target"),
            parse=shard.get("parse"),
            form=form,
            beside=[(tags, "text")] if tags else [],
            lenient=lenient,
        ):
            sentence = row.source
            assert sentence.alignment is not None
            language = _language(row, tags) if tags else ""
            sources.append(Source(sentence.words, parse=sentence.parse, target=language))
            alignments.append(sentence.alignment)
    if not sources and lenient and lenient.total:
        raise lenient.nothing_left()
    if not any(len(sentence) for sentence in sources):
        what = "has no words" if sources else "is empty"
        raise BadFile(f"{what}; expected sentences to learn from, one per line", file=source)
    return sources, alignments


def _language(row: NumberedSource, file: str) -> str:
    name: str = row.beside[0].strip()
    if not name or len(name.split()) > 1:
        raise BadFile(f"{name[:40]!r} is not a language; expected one word", file=file, line=row.number)
    return name


def target_size(record: Any) -> int:
    """Return the number of target words if the target is not given: that of the record, or of its links."""
    if hasattr(record, "target_size"):
        return int(record.target_size)
    return max((j for _, j in record.links), default=-1) + 1


def _other_words(words: list[str], forms: list[str], path: str, line: int) -> BadLine:
    if len(words) != len(forms):
        what = f"the sentence has {len(forms)} words here and {len(words)} in the text"
    else:
        at = next(i for i, (a, b) in enumerate(zip(words, forms, strict=True)) if a != b)
        what = f"word {at + 1} is {forms[at]!r} here and {words[at]!r} in the text"
    return BadLine(what, file=path, line=line, reason="other words")
