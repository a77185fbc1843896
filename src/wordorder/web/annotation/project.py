"""A folder of sentences to be linked, and of what annotators have done so far.

``source.txt`` and ``target.txt`` hold the sentences, one per line, words separated by spaces. The links of an
aligner are in ``predicted.align`` (Pharaoh format), those of one person in ``annotators/NAME.jsonl``, one
sentence per line, with a version that grows with every change. Every change writes this file anew under
another name and renames it, so that a power failure leaves the old file or the new one.
"""

from __future__ import annotations

import os
import re
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import orjson

from wordorder.align.aligner_files import load_model
from wordorder.align.bilingual import train_aligner
from wordorder.core.alignment import Alignment, Link
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.aligned import alignment_format, fitted
from wordorder.io.base import AlignmentFormat, Format, Problem
from wordorder.io.files import locked, open_output
from wordorder.io.folders import replaced_folder
from wordorder.io.lines import counted, split_words
from wordorder.io.links import LinkRecord
from wordorder.io.parallel import read_parallel
from wordorder.io.pharaoh import Pharaoh
from wordorder.io.read_write import read_records, write_records
from wordorder.io.registry import format_class, format_names

SOURCE, TARGET, PREDICTED, PEOPLE = "source.txt", "target.txt", "predicted.align", "annotators"
NAME = re.compile(r"\w[\w-]{0,39}")


class StaleVersion(WordOrderError):
    """A sentence was changed since it was read, for example in another tab; ``current`` is its state."""

    def __init__(self, current: LinkedSentence) -> None:
        super().__init__("the sentence was changed elsewhere since it was opened here")
        self.current = current


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """The links of one sentence by one annotator; version 0 is a sentence that nobody has touched."""

    sentence: int  # from 1
    version: int = 0
    done: bool = False
    sure: tuple[Link, ...] = ()
    possible: tuple[Link, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


class Project:
    """The sentences and links of a folder, for several annotators; safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        files = [str(folder / SOURCE), str(folder / TARGET)]
        for path in files:
            if not Path(path).is_file():
                raise BadFile(
                    f"there is no {Path(path).name}. To begin, give the texts.",
                    file=str(folder),
                    suggest={"source": "FILE", "target": "FILE"},
                )
        lines = [pair for _, pair in read_parallel(files)]
        self.source = [split_words(first) for first, _ in lines]
        self.target = [split_words(second) for _, second in lines]
        self._lock = threading.Lock()
        self._people = {path.stem: self._read(path) for path in sorted((folder / PEOPLE).glob("*.jsonl"))}

    def __len__(self) -> int:
        return len(self.source)

    @property
    def annotators(self) -> list[str]:
        """The names of all who have saved something."""
        with self._lock:
            return sorted(self._people)

    @cached_property
    def predicted(self) -> list[Alignment]:
        """The links of the aligner; none if there is no file of them."""
        path = self.folder / PREDICTED
        if not path.is_file():
            return [Alignment(len(a), len(b)) for a, b in zip(self.source, self.target, strict=True)]
        return read_links(str(path), Pharaoh(), self.source, self.target)

    def state(self, annotator: str, sentence: int) -> LinkedSentence:
        """Return the links of a sentence by an annotator."""
        check_name(annotator)
        self._check_number(sentence)
        with self._lock:
            return self._people.get(annotator, {}).get(sentence, LinkedSentence(sentence))

    def states(self, annotator: str) -> list[LinkedSentence]:
        """Return all sentences of an annotator, those without changes included."""
        check_name(annotator)
        with self._lock:
            known = dict(self._people.get(annotator, {}))
        return [known.get(number, LinkedSentence(number)) for number in range(1, len(self) + 1)]

    def alignment(self, state: LinkedSentence) -> Alignment:
        """Return the links of a sentence with its sizes; links that do not fit are an error."""
        at = state.sentence - 1
        return Alignment(len(self.source[at]), len(self.target[at]), state.sure, possible=state.possible)

    def save(self, annotator: str, state: LinkedSentence) -> LinkedSentence:
        """Save the links of a sentence; ``state.version`` is the version that was changed.

        The file is on the disk when this returns. A version that is not the current one is an error, unless
        the links are already those of the current version: the same change was then sent twice.
        """
        check_name(annotator)
        self._check_number(state.sentence)
        links = self.alignment(state)  # checked before anything is written
        state = replace(state, sure=links.sure, possible=links.possible)
        with self._lock:
            self._check_new(annotator)
            known = self._people.get(annotator, {})
            current = known.get(state.sentence, LinkedSentence(state.sentence))
            if state.version != current.version:
                if replace(state, version=current.version) == current:
                    return current
                raise StaleVersion(current)
            saved = replace(state, version=current.version + 1)
            changed = {**known, state.sentence: saved}
            self._write(annotator, changed)
            self._people[annotator] = changed
        return saved

    def _check_new(self, annotator: str) -> None:
        """Refuse a name whose file would be that of another annotator where case does not count in names."""
        if annotator in self._people:
            return
        for other in self._people:
            if _folded(other) == _folded(annotator):
                raise BadSetting(
                    f"there is an annotator {other!r}; take a name that differs by more than case"
                )

    def _check_number(self, sentence: int) -> None:
        if not 1 <= sentence <= len(self):
            raise BadSetting(f"there is no sentence {sentence}: the project has {len(self)}")

    def _write(self, annotator: str, states: dict[int, LinkedSentence]) -> None:
        path = self.folder / PEOPLE / f"{annotator}.jsonl"
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise BadFile(f"cannot be written: {error.strerror}", file=str(path)) from None
        with open_output(str(path)) as out:
            for number in sorted(states):
                out.write(orjson.dumps(states[number].as_dict()) + b"\n")

    def _read(self, path: Path) -> dict[int, LinkedSentence]:
        """Read the links of an annotator; every line is checked, because people edit files."""
        states: dict[int, LinkedSentence] = {}
        for number, record in enumerate(read_records(str(path), "jsonl"), start=1):
            try:
                links = [tuple((int(i), int(j)) for i, j in record[kind]) for kind in ("sure", "possible")]
                state = LinkedSentence(
                    int(record["sentence"]), int(record["version"]), bool(record["done"]), links[0], links[1]
                )
                self._check_number(state.sentence)
                self.alignment(state)
            except (KeyError, TypeError, ValueError) as error:
                what = f"there is no {error}" if isinstance(error, KeyError) else str(error)
                raise BadFile(
                    f"is not the links of a sentence: {what}", file=str(path), line=number
                ) from None
            if state.sentence in states:
                raise BadFile(f"sentence {state.sentence} occurs twice", file=str(path), line=number)
            states[state.sentence] = state
        return states


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def check_name(annotator: str) -> None:
    """Refuse names that are not letters, digits, - and _: they become names of files."""
    if not NAME.fullmatch(annotator):
        raise BadSetting(f"{annotator!r} is not a name: expected up to 40 letters, digits, - or _")


def read_links(
    path: str, form: Any, source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]
) -> list[Alignment]:
    """Read the links of sentences, and check them against their words."""
    records = list(read_records(path, form))
    if len(records) != len(source):
        raise BadFile(
            f"has {counted(len(records), 'line')}, but there are {len(source)} sentences", file=path
        )
    return [
        fitted(record, len(a), len(b), path=path, form=form, number=number)
        for number, (record, a, b) in enumerate(zip(records, source, target, strict=True), start=1)
    ]


@contextmanager
def owned(folder: str) -> Iterator[None]:
    """Keep other servers from changing the same folder: each of them has its own view of versions."""
    place = Path(os.path.realpath(folder))
    if not place.parent.is_dir():
        raise BadFile(f"cannot be written; there is no folder {place.parent}", file=folder)
    with locked(place.with_name(f".{place.name}.lock"), f"another server has opened {folder}"):
        yield


def open_project(folder: str) -> Project:
    """Open a folder that :func:`make_project` made, or that holds source.txt and target.txt."""
    return Project(Path(folder))


def make_project(
    folder: str,
    source: str,
    target: str,
    *,
    links: str | None = None,
    form: str = "pharaoh",
    aligner: str | None = None,
    threads: int = 1,
) -> Project:
    """Make a folder of the texts and of predicted links: given ones, or those of an aligner.

    Without links or an aligner, one is trained on the texts themselves. A folder that already holds the same
    texts is opened as it is.
    """
    pairs = [pair for _, pair in read_parallel([source, target])]
    home = Path(folder)
    if (home / SOURCE).is_file():
        project = Project(home)
        words = [[split_words(line) for line in side] for side in zip(*pairs, strict=True)]
        if words != [project.source, project.target]:
            raise BadFile("holds other sentences; choose another folder for these texts", file=folder)
        return project
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise BadFile("is not empty, and not a folder of annotations", file=folder)
    texts = [first for first, _ in pairs], [second for _, second in pairs]
    if links:
        predicted = read_links(links, form, *([split_words(line) for line in side] for side in texts))
    else:
        model = load_model(aligner) if aligner else train_aligner(*texts, threads=threads)
        predicted = list(model.align(*texts, threads=threads))
    with replaced_folder(home) as part:  # whole or not at all
        write_records(str(part / SOURCE), texts[0], "text")
        write_records(str(part / TARGET), texts[1], "text")
        records = [LinkRecord(a.sure, possible=a.possible) for a in predicted]
        write_records(str(part / PREDICTED), records, "pharaoh")
    return Project(home)


def exported(
    project: Project, annotator: str, form: str, *, possible: str = "keep", done: bool = False
) -> bytes:
    """Write the links of an annotator as a file of a format; sentences that are not counted have no links.

    Possible links are kept, or written as ``sure`` links, or left out (``drop``).
    """
    known = alignment_format(form)
    alignments = []
    for state in project.states(annotator):
        if done and not state.done:
            state = LinkedSentence(state.sentence)
        links = project.alignment(state)
        if possible != "keep":
            kept = links.links if possible == "sure" else links.sure
            links = Alignment(links.source_size, links.target_size, kept)
        alignments.append(links)
    out = BytesIO()
    try:
        known.write([known.record(links) for links in alignments], out, file=f"{annotator}.{known.name}")
    except Problem as problem:
        raise BadSetting(f"{problem}. Write possible links as sure ones, or leave them out.") from None
    return out.getvalue()


def link_formats() -> list[str]:
    """Return the names of the formats that links can be exported in."""
    return [name for name in format_names() if can_write(format_class(name))]


def can_write(cls: type[Format[Any]]) -> bool:
    """Whether a format can be written from links."""
    return issubclass(cls, AlignmentFormat) and cls.record is not AlignmentFormat.record
