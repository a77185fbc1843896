"""The input of an evaluation: sentences, reference orders, parses, and the orders of systems."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from wordorder.arrays import Ints
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.engine.threads import ordered_map
from wordorder.errors import BadFile, BadSetting, InvalidPermutation
from wordorder.evaluate.references import Reference
from wordorder.evaluate.variants import Variant
from wordorder.io.aligned import alignment_format, fitted
from wordorder.io.files import open_binary
from wordorder.io.lines import counted
from wordorder.io.order import Order
from wordorder.io.parallel import batches, read_parallel
from wordorder.io.permutations import found_base
from wordorder.io.reference import Groups, ReferenceText
from wordorder.io.sentence import Sentence
from wordorder.preorder.base import Preorderer
from wordorder.preorder.corpus import read_sources, target_size
from wordorder.preorder.identity import Identity
from wordorder.preorder.models import load_preorderer
from wordorder.preorder.parses import with_parses
from wordorder.preorder.rules.preorderer import Rules
from wordorder.preorder.source import Source

_NAMED = re.compile(r"([^:=/\\]+)=(.+)")
BATCH = 64  # sentences that a thread reorders at a time


@dataclass(frozen=True, slots=True)
class GivenReferences:
    """Reference orders from a file, as ranks; None for a sentence without one.

    If the file holds words and not positions, ``repeated`` counts the sentences with words that occur
    several times in the source, and ``ambiguous`` those that leave out one of such words.
    """

    ranks: list[Ints | None]
    repeated: int = 0
    ambiguous: int = 0


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    """A file that reference orders come from: links, or with ``given`` the orders themselves.

    ``target``, the text of the translation, checks the links.
    """

    path: str
    given: bool = False
    target: str | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceData:
    """What was read from a reference file: links, or the orders themselves."""

    file: ReferenceFile
    alignments: list[Alignment]
    given: GivenReferences | None = None

    def ranks(
        self, variant: Variant, words: list[tuple[str, ...]] | None, *, links: str = "all"
    ) -> list[Ints | None]:
        """Rank the words of each sentence, by a file of orders or by a variant."""
        return self.given.ranks if self.given else variant.ranks(self.alignments, words, links=links)


@dataclass(frozen=True, slots=True)
class EvaluationCorpus:
    """Sentences with their references, and their parses by name of the parser.

    ``words`` is None if only the lengths of the sentences are known.
    """

    sources: list[Source]
    sizes: list[int]
    words: list[tuple[str, ...]] | None
    references: list[ReferenceData]
    parses: dict[str, list[Sentence]]

    @property
    def alignments(self) -> list[Alignment]:
        """The links of the first reference that has some."""
        return next((data.alignments for data in self.references if data.given is None), [])


def read_corpus(
    source: str | None,
    references: Sequence[ReferenceFile],
    parses: Sequence[tuple[str, str]] = (),
    *,
    orders: str | None = None,
    form: str = "pharaoh",
) -> EvaluationCorpus:
    """Read files that belong together; errors name file and line.

    ``parses`` are names and files. Without a source and without parses, a file of ``orders`` determines the
    lengths of the sentences. The links of the first reference become those of the sentences.
    """
    if not references:
        raise BadSetting("there are no references; give links or orders")
    files = sorted(references, key=lambda file: file.given)  # sentences take their links from the first
    if not source and not parses and not (orders and not files[-1].given):
        raise BadSetting("the sentences are unknown.", suggest={"source": "FILE"})
    first = parses[0][1] if parses else None
    sources: list[Source] = []
    read: dict[ReferenceFile, ReferenceData] = {}
    for file in files:
        if file in read:
            raise BadSetting(f"{file.path} is given twice as a reference")
        found, lines = _read_reference(file, source, first, orders, form)
        sources = sources or found
        if not sources:
            raise BadFile("is empty; expected sentences, one per line", file=source or first or file.path)
        links = [sentence.alignment for sentence in found if sentence.alignment is not None]
        given = _given_references(file.path, lines, found) if file.given else None
        read[file] = ReferenceData(file, links, given)
    known = bool(source or first)
    trees: dict[str, list[Sentence]] = {}
    for name, path in parses:
        if name in trees:
            raise BadSetting(f"two parsers are named {name!r}; name them as NAME=FILE")
        trees[name] = (
            _read_parse(path, sources, source or first or "")
            if trees
            else [sentence.parse for sentence in sources if sentence.parse is not None]
        )
    links = [sentence.alignment for sentence in sources if sentence.alignment is not None]
    return EvaluationCorpus(
        sources,
        [len(sentence) for sentence in sources] if known else [a.source_size for a in links],
        [sentence.words for sentence in sources] if known else None,
        [read[file] for file in references],
        trees,
    )


def _read_reference(
    file: ReferenceFile, source: str | None, parse: str | None, orders: str | None, form: str
) -> tuple[list[Source], list[tuple[int, Groups]]]:
    """Read the sentences with the links of a reference, or beside the lines of a file of orders."""
    if not source and not parse:
        return _sources_without_words(file.path, str(orders), form), []
    align, target = (None, None) if file.given else (file.path, file.target)
    beside = [(file.path, "reference")] if file.given else []
    sources, lines = [], []
    for row in read_sources(source, parse=parse, align=align, target=target, form=form, beside=beside):
        sources.append(row.source)
        if file.given:
            lines.append((row.number, row.beside[0]))
    return sources, lines


def _sources_without_words(align: str, orders: str, form: str) -> list[Source]:
    """Read sentences of which only the links and the lengths are known."""
    links = alignment_format(form)
    sources = []
    for number, (record, order) in read_parallel([(align, links), (orders, Order(empty=True))]):
        alignment = fitted(record, len(order), target_size(record), path=align, form=links, number=number)
        sources.append(Source((), alignment=alignment))
    return sources


def _given_references(
    path: str, lines: Sequence[tuple[int, Groups]], sources: Sequence[Source]
) -> GivenReferences:
    """Rank the words by a file of references, which holds words or positions."""
    by_position = _are_positions([groups for _, groups in lines], sources)
    parse = Reference.parse_positions if by_position else Reference.parse
    ranks: list[Ints | None] = []
    repeated = ambiguous = 0
    for (number, groups), source in zip(lines, sources, strict=True):
        try:
            reference = parse(ReferenceText().to_line(groups), source.words)
        except InvalidPermutation as error:
            raise BadFile(str(error), file=path, line=number) from None
        ranks.append(reference.ranks() if reference.order else None)
        if not by_position:
            there, used = Counter(source.words), Counter(word for group in groups for word in group)
            repeated += any(there[word] > 1 for word in used)
            ambiguous += any(there[word] > count for word, count in used.items())
    return GivenReferences(ranks, repeated, ambiguous)


def _are_positions(lines: Sequence[Groups], sources: Sequence[Source]) -> bool:
    """Return whether references are numbers that are not words of their sentences."""
    words = [[word for group in groups for word in group] for groups in lines]
    if not all(word.isascii() and word.isdecimal() for line in words for word in line):
        return False
    return any(Counter(line) - Counter(source.words) for line, source in zip(words, sources, strict=True))


def _read_parse(path: str, sources: Sequence[Source], other: str) -> list[Sentence]:
    """Read another parse of the same sentences."""
    trees = []
    for row in read_sources(None, parse=path):
        tree = row.source.parse
        assert tree is not None
        if row.number > len(sources):
            raise BadFile(f"has more sentences than {other} ({len(sources)})", file=path, line=tree.line)
        words = sources[row.number - 1].words
        if row.source.words != words:
            pairs = enumerate(zip(row.source.words, words, strict=False))
            at = next((i for i, (here, there) in pairs if here != there), None)
            what = f"{counted(len(row.source.words), 'word')} here, {len(words)} in {other}"
            if at is not None:
                what = f"word {at + 1} is {row.source.words[at]!r} here and {words[at]!r} in {other}"
            raise BadFile(f"sentence {row.number}: {what}", file=path, line=tree.line)
        trees.append(tree)
    if len(trees) != len(sources):
        what = f"has {counted(len(trees), 'sentence')}; {other} has {len(sources)}"
        raise BadFile(what, file=path, line=trees[-1].line if trees else None)
    return trees


# Systems


@dataclass(frozen=True, slots=True)
class EvaluatedSystem:
    """Orders to evaluate: from a file, or made by a preorderer on one of the parses."""

    name: str
    orders: list[Permutation]
    preorderer: Preorderer | None = None
    parser: str | None = None


def is_order_file(value: str) -> bool:
    """Return whether a system is written as a file of orders: a file, and not one of rules."""
    return os.path.isfile(value) and not value.endswith(".toml")


def run_systems(
    corpus: EvaluationCorpus,
    values: Sequence[str],
    *,
    names: Sequence[str] = (),
    ranks: bool = False,
    threads: int = 1,
) -> list[EvaluatedSystem]:
    """Run every preorderer, on every parse if it needs parses, and read the files of orders.

    If the corpus has no parses, and a preorderer needs them, the text is parsed as English.

    ``values`` are models, methods and rule sets by name or path, and files of orders, or of places with
    ``ranks``. ``names`` replace the names that follow from these. ``identity`` is left out: no reordering is
    always evaluated.
    """
    loaded = {value: None if is_order_file(value) else load_preorderer(value) for value in values}
    chosen = [value for value in values if not isinstance(loaded[value], Identity)]
    if names and len(names) != len(chosen):
        raise BadSetting(f"{counted(len(names), 'name')} for {counted(len(chosen), 'system')}")
    titles = [
        rules.written if isinstance(rules := loaded[value], Rules) and rules.without == "-" else value
        for value in chosen
    ]
    sources: Sequence[Source] = corpus.sources
    if not corpus.parses and any("parse" in each.needs for each in loaded.values() if each):
        blocks = ordered_map(with_parses, batches(sources, BATCH), threads=threads)
        sources = [source for block in blocks for source in block]  # parsed once for all systems
    systems: list[EvaluatedSystem] = []
    for value, name in zip(chosen, names or system_names(titles), strict=True):
        preorderer = loaded[value]
        if preorderer is None:
            systems.append(EvaluatedSystem(name, read_orders(value, corpus.sizes, ranks=ranks)))
            continue
        if corpus.words is None:
            raise BadSetting(f"{name} needs the words of the sentences.", suggest={"source": "FILE"})
        if "parse" not in preorderer.needs or not corpus.parses:
            systems.append(EvaluatedSystem(name, _run(preorderer, sources, threads), preorderer))
            continue
        for parser, trees in corpus.parses.items():
            parsed = [replace(source, parse=tree) for source, tree in zip(corpus.sources, trees, strict=True)]
            title = name if len(corpus.parses) == 1 else f"{name}/{parser}"
            systems.append(EvaluatedSystem(title, _run(preorderer, parsed, threads), preorderer, parser))
    titles = [system.name for system in systems]
    for name in titles:
        if titles.count(name) > 1:
            raise BadSetting(f"two systems are named {name!r}.", suggest={"names": "A,B"})
    return systems


def _run(preorderer: Preorderer, sources: Sequence[Source], threads: int) -> list[Permutation]:
    parts = ordered_map(preorderer.reorder_batch, batches(sources, BATCH), threads=threads)
    return [order for part in parts for order in part]


def read_orders(path: str, sizes: Sequence[int], *, ranks: bool = False) -> list[Permutation]:
    """Read a file of orders, or of places with ``ranks``, one per sentence; they start at 0 or 1."""
    orders = []
    with open_binary(path) as handle:
        base = found_base(handle.read(1 << 16)) or 0
    for number, (order,) in read_parallel([(path, Order(base=base, empty=True))]):  # type: ignore[arg-type]
        if number > len(sizes):
            what = f"has more orders than there are sentences ({len(sizes)})"
            raise BadFile(what, file=path, line=number)
        if len(order) != sizes[number - 1]:
            what = f"the order has {counted(len(order), 'word')}; the sentence has {sizes[number - 1]}"
            raise BadFile(what, file=path, line=number)
        orders.append(order.inverse() if ranks else order)
    if len(orders) != len(sizes):
        what = f"has {counted(len(orders), 'order')}; there are {len(sizes)} sentences"
        raise BadFile(what, file=path, line=len(orders) or None)
    return orders


# Names


def named_file(text: str) -> tuple[str, str]:
    """Split ``NAME=FILE`` into name and file; a file alone is named after itself.

    >>> named_file("p1=gold.conllu"), named_file("parses/p1.conllu.gz")
    (('p1', 'gold.conllu'), ('p1', 'parses/p1.conllu.gz'))
    """
    match = None if os.path.exists(text) else _NAMED.fullmatch(text)  # a path may contain =
    return (match[1], match[2]) if match else (short_name(text), text)


def short_name(value: str) -> str:
    """Name a system, a parser or a reference after its file, model or rule set.

    >>> short_name("rules:en-ja"), short_name("runs/a.order"), short_name("my-rules.toml")
    ('rules:en-ja', 'a', 'my-rules')
    """
    rules = re.fullmatch(r"rules:(?:set=)?([^,=]+)", value)
    if rules and not os.path.exists(value):
        value = rules[1]
        if not value.endswith(".toml") and os.sep not in value:
            return f"rules:{value}"
    name = os.path.basename(value.rstrip("/")) or value
    return re.sub(r"(\.(order|conllu|toml|align|reference|gz|zst))+$", "", name) or name


def system_names(values: Sequence[str]) -> list[str]:
    """Name systems by their short names, or by all that was written where these are the same.

    >>> system_names(["runs/a.order", "runs/b.order", "c/b.order"])
    ['a', 'runs/b.order', 'c/b.order']
    """
    short = [short_name(value) for value in values]
    return [name if short.count(name) == 1 else value for name, value in zip(short, values, strict=True)]
