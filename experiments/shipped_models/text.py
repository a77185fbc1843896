"""Text for networks of many languages from English, aligned and parsed, stored in a folder.

    python -m experiments.shipped_models.text FOLDER JUDGMENTS TREEBANKS --work WORK

FOLDER holds parallel text with word alignments, one folder per set. Raw text is the English side of the
judgments. No tested sentence is part of the text with automatic links or of the raw text.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

from experiments.crf.directions import AUTOMATIC, DIVIDED, MANUAL, TESTS, DirectionData
from experiments.parallel import Corpus, concatenate, read_lines, target_language
from experiments.shipped_models import names as people
from experiments.shipped_models.parser_text import raw_text
from wordorder.core.alignment import Alignment
from wordorder.io.read_write import read_records
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder import Source
from wordorder.preorder.parses import with_parses
from wordorder.preorder.word_labels import labelled

LONGEST = 60  # words of a sentence of further text
MOST = 20_000  # sentences with automatic links of one set ...
MOST_KYOTO = 30_000  # ... and of KFTT, whose conventions of linking differ from those of the treebank
LANGUAGES = tuple(sorted({*map(target_language, (*MANUAL, *AUTOMATIC))}))
LINKED = tuple(dict.fromkeys(map(target_language, MANUAL)))  # languages with manual links


def write_text(folder: Path, judgments: Path, treebanks: Path, work: Path) -> None:
    """Align and parse all text, and store it with the parts of sentences with manual links."""
    data = DirectionData(folder, longest=LONGEST)
    parts = {}
    for name in (*MANUAL, *TESTS):
        _write(work, f"manual-{name.replace('/', '_')}", data.manual(name))
        parts[name] = data.part_of(name) if name in DIVIDED else []
    (work / "text" / "parts.json").write_text(json.dumps(parts), encoding="utf-8")
    lines = raw_text(folder, treebanks, judgments, read=())
    sources = [Source(tuple(word.lower() for word in words)) for words in lines if len(words) <= LONGEST]
    _write(work, "raw", Corpus(sources, [Alignment(len(source), 0, []) for source in sources]))
    for language in dict.fromkeys(map(target_language, AUTOMATIC)):
        sets = [name for name in AUTOMATIC if target_language(name) == language]
        corpus = data.automatic(sets, most=MOST_KYOTO if language == "ja" else MOST)
        _write(work, f"automatic-{language}", corpus)
    _write_names(data, treebanks, work)


def _write_names(data: DirectionData, treebanks: Path, work: Path) -> None:
    """Store what names of people are learned from, and sentences to test them with."""
    stored, target = StoredText(work), target_language(people.CAPITALS)
    automatic = stored.automatic(target)
    japanese = people.japanese(read_lines(data.folder, people.CAPITALS, "en"))
    known = people.names_in(automatic.sources, japanese)
    named = people.named(automatic, japanese, people.family_first)
    without = automatic.select([s for s, x in enumerate(automatic.sources) if not japanese(x)])
    kept = people.named(without, people.others, people.in_order)
    _write(work, f"named-{target}", concatenate([named, kept]))
    phrases = [people.phrases(named, japanese), people.phrases(kept, people.others)]
    _write(work, f"phrases-{target}", concatenate(phrases))
    # Other names keep their order in all languages; each is learned in one of them or in none.
    others = sorted(people.names_in(stored.raw, people.others))
    short = people.short_lines(automatic, known)
    own = people.alone(known, target, inverted=True)  # twice, because the network has learned the opposite
    rest = people.alone(others[::3], target)
    _write(work, f"headings-{target}", concatenate([own, own, rest, short]))
    languages = [language for language in LANGUAGES if language != target]
    for k, language in enumerate(languages):
        _write(work, f"headings-{language}", people.alone(others[1::3][k :: len(languages)], language))
    learned = {" ".join(source.words) for name in MANUAL for source in data.manual(name).sources}
    cased = [x for x in read_lines(data.folder, people.TESTED, "en") if x.lower() not in learned]
    lines = [Source(tuple(line.split())) for line in cased]
    tested = people.new_names(lines, people.japanese(cased), known, target, inverted=True)
    _write(work, f"tested-{target}", tested)
    banks = sorted(treebanks.glob("*/dev.conllu.gz"))
    trees = [tree for path in banks for tree in read_records(str(path), "conllu")]
    lines = [Source(tuple(row.form for row in tree.words), parse=tree) for tree in trees]
    lines = [source for source in lines if not any(" " in word for word in source.words)]
    known = people.names_in([*stored.raw, *automatic.sources], people.others)
    _write(work, f"tested-others-{target}", people.new_names(lines, people.others, known, target))


def _write(work: Path, name: str, corpus: Corpus) -> None:
    path = work / "text" / f"{name}.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as handle:
        for source, alignment in zip(with_parses(corpus.sources), corpus.alignments, strict=True):
            assert source.parse is not None
            rows = source.parse.words
            columns = [[row.upos for row in rows], [row.xpos for row in rows], [row.deprel for row in rows]]
            tree = [*columns, source.parse.heads if rows else []]
            links = " ".join(f"{i}-{j}" for i, j in alignment.links)
            handle.write(json.dumps([" ".join(source.words), source.target, links, tree]) + "\n")


def read_text(path: Path, limit: int | None = None) -> Corpus:
    """Read stored text. The labels of words are relations to heads, with the side of the head."""
    corpus = Corpus([], [])
    with gzip.open(path, "rt", encoding="utf-8") as handle:
        for line in islice(handle, limit):
            text, target, links, tree = json.loads(line)
            words = tuple(text.split())
            rows = [
                Row(str(at), word, upos=upos, xpos=xpos, head=str(head), deprel=relation)
                for at, (word, upos, xpos, relation, head) in enumerate(zip(words, *tree, strict=True), 1)
            ]
            pairs = [(int(i), int(j)) for i, _, j in (link.partition("-") for link in links.split())]
            source = Source(words, parse=Sentence(rows), target=target)
            corpus.sources.append(labelled(source, "arc"))
            corpus.alignments.append(Alignment(len(words), 1 + max((j for _, j in pairs), default=0), pairs))
    return corpus


class StoredText:
    """The text of a folder; with a limit, only the first sentences of every file."""

    def __init__(self, work: Path, limit: int | None = None) -> None:
        self.folder, self.limit = work / "text", limit
        self.parts: dict[str, list[int]] = json.loads((self.folder / "parts.json").read_text("utf-8"))

    @cache  # noqa: B019 (there is one of these, as long as the program runs)
    def manual(self, name: str) -> Corpus:
        """Read a set with manual links."""
        return read_text(self.folder / f"manual-{name.replace('/', '_')}.gz", self.limit)

    @cache  # noqa: B019
    def automatic(self, language: str) -> Corpus:
        """Read the text with automatic links of a language; empty if there is none."""
        return self._if_there(f"automatic-{language}")

    @cache  # noqa: B019
    def names(self, kind: str, language: str) -> Corpus:
        """Read text with names: named, phrases or headings, to learn from, tested or tested-others."""
        return self._if_there(f"{kind}-{language}")

    def _if_there(self, name: str) -> Corpus:
        path = self.folder / f"{name}.gz"
        return read_text(path, self.limit) if path.exists() else Corpus([], [])

    @cached_property
    def raw(self) -> list[Source]:
        """The raw text."""
        return read_text(self.folder / "raw.gz", self.limit).sources

    def outside(self, name: str, part: int) -> list[int]:
        """Return the sentences of a set with manual links that are outside a part; -1: all."""
        count = len(self.manual(name).sources)
        parts = self.parts[name][:count] or [-2] * count
        return [s for s, own in enumerate(parts) if own != part]

    def training(self, language: str, part: int) -> Corpus:
        """Return the sentences with manual links of a language that are outside a part."""
        names = [name for name in MANUAL if target_language(name) == language]
        return concatenate(self.manual(name).select(self.outside(name, part)) for name in names)


def main(arguments: Sequence[str] | None = None) -> None:
    """Align and parse all text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("folder", "judgments", "treebanks"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--work", type=Path, required=True, help="folder of the text")
    options = parser.parse_args(arguments)
    write_text(options.folder, options.judgments, options.treebanks, options.work)


if __name__ == "__main__":
    main()
