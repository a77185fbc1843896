"""What ``wordorder evaluate`` works on: sentences, reference orders, parses, orders of systems."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadFile, BadSetting, InvalidPermutation
from wordorder.evaluate.corpus_ranks import corpus_ranks
from wordorder.evaluate.gold import Ranks
from wordorder.evaluate.references import Punctuation, Reference, Unaligned
from wordorder.io.lines import counted
from wordorder.io.order import Order
from wordorder.io.parallel import read_parallel
from wordorder.io.reference import Groups, ReferenceText
from wordorder.io.sentence import Sentence
from wordorder.preorder.base import Preorderer
from wordorder.preorder.corpus import read_sources
from wordorder.preorder.models import load_preorderer
from wordorder.preorder.rules.preorderer import Rules
from wordorder.preorder.source import Source

_NAMED = re.compile(r"([^:=/\\]+)=(.+)")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sentences with the ranks of their reference orders (None: nothing is linked), and parses by parser."""

    sources: list[Source]
    ranks: list[Ranks | None]
    parses: dict[str, list[Sentence]]
    policy: str  # how the references were made, for signatures
    repeated: int = 0  # sentences whose reference is text and has words that are several times in the source
    ambiguous: int = 0  # those of them whose reference leaves out one of such words: which is not known

    @property
    def words(self) -> list[tuple[str, ...]]:
        """The words of the sentences."""
        return [source.words for source in self.sources]

    @property
    def alignments(self) -> list[Alignment]:
        """The links, where there are some."""
        return [source.alignment for source in self.sources if source.alignment is not None]

    def reference(self, s: int) -> Reference:
        """The reference order of a sentence that has one."""
        ranks = self.ranks[s]
        if ranks is None:
            raise InvalidPermutation(f"sentence {s + 1} has no reference order")
        order = [i for i in np.argsort(ranks, kind="stable").tolist() if ranks[i] >= 0]
        runs = [tuple(run) for _, run in groupby(order, key=ranks.__getitem__)]
        return Reference(self.sources[s].words, tuple(order), tuple(run for run in runs if len(run) > 1))


def read_corpus(
    source: str | None,
    parses: Sequence[tuple[str, str]],
    *,
    align: str | None = None,
    references: str | None = None,
    target: str | None = None,
    form: str = "pharaoh",
    links: Literal["all", "sure"] = "all",
    unaligned: Unaligned = "next",
    punctuation: Punctuation = "words",
) -> Corpus:
    """Read the files and check that they go together; errors name file and line.

    Reference orders are made of links (``align``) or read as they are (``references``). ``target``, the text
    of the translation, checks the links.
    """
    if bool(align) == bool(references):
        raise BadSetting("reference orders come from links or from a file of them: give one of the two")
    if not source and not parses:
        raise BadSetting("nothing says what the sentences are: give the source, or a parse")
    first = parses[0][1] if parses else None
    beside: list[tuple[str, str]] = [(references, "reference")] if references else []
    sources: list[Source] = []
    ranks: list[Ranks | None] = []
    lines: list[tuple[int, Groups]] = []
    for row in read_sources(
        source, parse=first, align=align, target=target if align else None, form=form, beside=beside
    ):
        sources.append(row.source)
        if references:
            lines.append((row.number, row.beside[0]))
    if not sources:
        raise BadFile("is empty; expected sentences", file=source or first or "")
    policy, repeated, ambiguous = "file", 0, 0
    if references:
        ranks, repeated, ambiguous = _given_ranks(references, lines, sources)
    if align:
        policy = f"talbot.links-{links}.unaligned-{unaligned}.punctuation-{punctuation}"
        made = [source.alignment for source in sources if source.alignment is not None]
        if links == "sure":
            made = [Alignment(one.source_size, one.target_size, one.sure) for one in made]
        words = [source.words for source in sources]
        found = corpus_ranks(made, words, unaligned=unaligned, punctuation=punctuation)
        ranks = [
            rank if one.links and (rank >= 0).any() else None for rank, one in zip(found, made, strict=True)
        ]
    trees: dict[str, list[Sentence]] = {}
    for name, path in parses:
        if name in trees:
            raise BadSetting(f"two parsers are called {name!r}: name them, NAME=FILE")
        if not trees:
            trees[name] = [one.parse for one in sources if one.parse is not None]
        else:
            trees[name] = _read_parse(path, sources, source or first or "")
    return Corpus(sources, ranks, trees, policy, repeated, ambiguous)


def _given_ranks(
    path: str, lines: Sequence[tuple[int, Groups]], sources: Sequence[Source]
) -> tuple[list[Ranks | None], int, int]:
    """The ranks of a file of references, words or positions; and what a corpus tells of repeated words.

    A line without words is a sentence without a reference.
    """
    by_position = _are_positions([groups for _, groups in lines], sources)
    read = Reference.parse_positions if by_position else Reference.parse
    ranks: list[Ranks | None] = []
    repeated = ambiguous = 0
    for (number, groups), source in zip(lines, sources, strict=True):
        try:
            made = read(ReferenceText().to_line(groups), source.words)
        except InvalidPermutation as error:
            raise BadFile(str(error), file=path, line=number) from None
        ranks.append(made.ranks() if made.order else None)
        if not by_position:
            there, used = Counter(source.words), Counter(word for group in groups for word in group)
            repeated += any(there[word] > 1 for word in used)
            ambiguous += any(there[word] > count for word, count in used.items())
    return ranks, repeated, ambiguous


def _are_positions(lines: Sequence[Groups], sources: Sequence[Source]) -> bool:
    """Whether references are numbers, and not numbers that are words of their sentences."""
    words = [[word for group in groups for word in group] for groups in lines]
    if not all(word.isascii() and word.isdecimal() for line in words for word in line):
        return False
    return any(Counter(line) - Counter(source.words) for line, source in zip(words, sources, strict=True))


def _read_parse(path: str, sources: Sequence[Source], other: str) -> list[Sentence]:
    """Another parse of the same sentences."""
    trees = []
    for row in read_sources(None, parse=path):
        tree = row.source.parse
        assert tree is not None
        if row.number > len(sources):
            raise BadFile(f"has more sentences than {other} ({len(sources)})", file=path, line=tree.line)
        words = sources[row.number - 1].words
        if row.source.words != words:
            at = next(
                (i for i, (a, b) in enumerate(zip(row.source.words, words, strict=False)) if a != b), None
            )
            what = f"{counted(len(row.source.words), 'word')} here, {len(words)} in {other}"
            if at is not None:
                what = f"word {at + 1} is {row.source.words[at]!r} here and {words[at]!r} in {other}"
            raise BadFile(f"sentence {row.number}: {what}", file=path, line=tree.line)
        trees.append(tree)
    if len(trees) != len(sources):
        line = trees[-1].line if trees else None
        raise BadFile(
            f"has {counted(len(trees), 'sentence')}; {other} has {len(sources)}", file=path, line=line
        )
    return trees


def named(text: str) -> tuple[str | None, str]:
    """A name and what it names: ``NAME=VALUE``, or a value alone. Settings of a method are no names.

    >>> named("p1=gold.conllu"), named("rules:set=en-ja"), named("mine=rules:set=en-ja")
    (('p1', 'gold.conllu'), (None, 'rules:set=en-ja'), ('mine', 'rules:set=en-ja'))
    """
    if os.path.exists(text):  # a path may have = in it
        return None, text
    found = _NAMED.fullmatch(text)
    return (found[1], found[2]) if found else (None, text)


def short_name(value: str) -> str:
    """A name for a system or a parser that has none: what its file or rule set is called.

    Models may have the names of rule sets, so that these are marked.

    >>> short_name("rules:set=en-ja"), short_name("runs/a.order"), short_name("parses/p1.conllu.gz")
    ('rules:en-ja', 'a', 'p1')
    """
    if not os.path.exists(value) and (rules := re.fullmatch(r"rules:set=([^,]+)", value)):
        value = rules[1]
        if not value.endswith(".toml") and os.sep not in value:
            return f"rules:{value}"
    name = os.path.basename(value.rstrip("/")) or value
    return re.sub(r"(\.(order|conllu|toml|gz|zst))+$", "", name) or name


def read_orders(path: str, corpus: Corpus) -> list[Permutation]:
    """The orders of a file, one a sentence of the corpus."""
    orders = []
    for number, (order,) in read_parallel([(path, Order(empty=True))]):
        if number > len(corpus.sources):
            raise BadFile(
                f"has more orders than there are sentences ({len(corpus.sources)})", file=path, line=number
            )
        size = len(corpus.sources[number - 1])
        if len(order) != size:
            what = f"the order has {counted(len(order), 'word')}; the sentence has {size}"
            raise BadFile(what, file=path, line=number)
        orders.append(order)
    if len(orders) != len(corpus.sources):
        what = f"has {counted(len(orders), 'order')}; there are {len(corpus.sources)} sentences"
        raise BadFile(what, file=path, line=len(orders) or None)
    return orders


@dataclass(frozen=True, slots=True)
class System:
    """Orders to evaluate: of a file, or of a preorderer on one of the parses."""

    name: str
    orders: list[Permutation]
    preorderer: Preorderer | None = None
    parser: str | None = None


def run_systems(corpus: Corpus, specs: Sequence[str], files: Sequence[str]) -> list[System]:
    """Every preorderer on every parse that it wants, then the files of orders; all by different names."""
    systems: list[System] = []
    for spec in specs:
        given, value = named(spec)
        made = load_preorderer(value)
        name = given or short_name(made.written if isinstance(made, Rules) else value)
        if "parse" not in made.needs:
            systems.append(System(name, made.reorder_batch(corpus.sources), made))
            continue
        if not corpus.parses:
            raise BadSetting(f"{made.name} needs the dependency trees of the sentences: --parse FILE")
        for parser, trees in corpus.parses.items():
            full = name if len(corpus.parses) == 1 else f"{name}/{parser}"
            parsed = [
                Source(one.words, tree, one.alignment)
                for one, tree in zip(corpus.sources, trees, strict=True)
            ]
            systems.append(System(full, made.reorder_batch(parsed), made, parser))
    for text in files:
        given, path = named(text)
        systems.append(System(given or short_name(path), read_orders(path, corpus)))
    names = [system.name for system in systems]
    for name in names:
        if names.count(name) > 1:
            raise BadSetting(f"two systems are called {name!r}: name them, NAME=...")
    return systems
