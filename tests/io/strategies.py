"""Records of every format, made at random."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from wordorder.core.alignment import Alignment
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.core.permutation import Permutation
from wordorder.io.fast_align import ScoredPair
from wordorder.io.giza import GizaPair
from wordorder.io.links import LinkRecord
from wordorder.io.numbers import LARGEST
from wordorder.io.openfst import Fst, FstArc
from wordorder.io.plf import PlfArc
from wordorder.io.precedence import Precedence
from wordorder.io.quasiperm import QuasiPerm
from wordorder.io.ratings import Rating
from wordorder.io.sentence import Row, Sentence
from wordorder.io.talbot import TargetLinks


def texts(without: str = "", **sizes: int) -> st.SearchStrategy[str]:
    """Any text that fits a line; no BOM, which may not begin a file."""
    letters = st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\ufeff" + without)
    return st.text(
        letters | st.sampled_from(' \t|#-\u2028\x85\x00\u3000"'.translate(str.maketrans("", "", without))),
        **sizes,
    )


scores = st.floats(allow_nan=False, allow_infinity=False)
moderate = st.floats(-LARGEST, LARGEST)  # what statistics are computed from


@st.composite
def links(draw: st.DrawFn) -> LinkRecord:
    pairs = draw(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), unique=True, max_size=8))
    cut = draw(st.integers(0, len(pairs)))
    scored = {pair: draw(scores) for pair in pairs if draw(st.booleans())}
    return LinkRecord(pairs[:cut], possible=pairs[cut:], scores=scored)


@st.composite
def similar_links(draw: st.DrawFn) -> LinkRecord:
    pairs = draw(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), unique=True, max_size=8))
    return LinkRecord(pairs, scores={pair: draw(st.integers(1, 1000)) / 1000 for pair in pairs})


@st.composite
def alignments(draw: st.DrawFn) -> Alignment:
    m, n = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    all_pairs = [(i, j) for i in range(m) for j in range(n)]
    return Alignment(m, n, draw(st.lists(st.sampled_from(all_pairs), max_size=9)) if all_pairs else [])


@st.composite
def giza_pairs(draw: st.DrawFn) -> GizaPair:
    word = texts("\t ", min_size=1, max_size=4)
    source, target = (tuple(draw(st.lists(word, max_size=5))) for _ in range(2))
    places = list(zip(draw(st.permutations(range(len(source)))), range(len(target)), strict=False))
    links = sorted(place for place in places if draw(st.booleans()))  # fit for both directions
    return GizaPair(source, target, tuple(links), draw(scores))


@st.composite
def joint(draw: st.DrawFn) -> tuple[str, str]:
    def one() -> str:
        return draw(texts().filter(lambda text: "|||" not in text.split(" ")))

    return one(), one()


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[str, ...]]:
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.tuples(*[texts("\t")] * width), max_size=6))


@st.composite
def layers(draw: st.DrawFn) -> list[Any]:
    depth = draw(st.integers(1, 3))
    sizes = draw(st.lists(st.integers(0, 4), max_size=5))
    token = texts("\t ", min_size=1, max_size=4)
    return [tuple(tuple(draw(token) for _ in range(size)) for _ in range(depth)) for size in sizes]


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    size = draw(st.integers(1, 7))
    order = draw(st.permutations(range(1, size + 1)))
    heads = {word: draw(st.sampled_from(order[:k])) if k else 0 for k, word in enumerate(order)}
    column = texts("\t", min_size=1, max_size=5)
    rows: list[Row] = []
    covered = 0
    for word in range(1, size + 1):
        if word > covered and word < size and draw(st.booleans()):
            covered = draw(st.integers(word + 1, size))
            rows.append(Row(f"{word}-{covered}", draw(column), misc=draw(column)))
        rows.append(Row(str(word), *(draw(column) for _ in range(5)), str(heads[word]), draw(column)))
        rows += [Row(f"{word}.{k}", draw(column)) for k in range(1, draw(st.integers(1, 3)))]
    return Sentence(rows, draw(st.lists(texts().map("#".__add__), max_size=3)))


whole = st.integers(-(2**63), 2**63 - 1)
values = st.recursive(
    st.none() | st.booleans() | whole | scores | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(), inner, max_size=3),
    max_leaves=6,
)

permutations = st.integers(0, 9).flatmap(lambda n: st.permutations(range(n))).map(Permutation)

names = st.text("abcKT_", min_size=1, max_size=3)
plain_words = texts(" \t", min_size=1, max_size=4).filter(lambda word: not word.endswith("\r"))


reference_words = plain_words.filter(lambda word: word not in ("{{", "}}"))
groups = st.lists(st.lists(reference_words, min_size=1, max_size=3).map(tuple), max_size=4).map(tuple)


@st.composite
def plf_lattices(draw: st.DrawFn) -> tuple[tuple[PlfArc, ...], ...]:
    states = draw(st.integers(0, 4))
    feature = st.tuples(st.just("") | names, scores)
    word = texts(min_size=1, max_size=4)

    def arc(state: int) -> PlfArc:
        features = tuple(draw(st.lists(feature, max_size=2)))
        return PlfArc(draw(word), features, draw(st.integers(1, states - state)))

    return tuple(tuple(arc(state) for _ in range(draw(st.integers(1, 3)))) for state in range(states))


@st.composite
def automata(draw: st.DrawFn) -> Fst:
    state = st.integers(0, 9)
    arc = st.builds(FstArc, state, state, plain_words, plain_words, scores)
    finals = st.lists(st.tuples(state, scores), min_size=1, max_size=2)
    return Fst(tuple(draw(st.lists(arc, max_size=4))), tuple(draw(finals)))


@st.composite
def quasiperms(draw: st.DrawFn) -> QuasiPerm:
    order = draw(permutations)
    alone = draw(st.sets(st.integers(0, len(order) - 1))) if len(order) else set()
    log_prob = draw(st.floats(-50, 0) | st.just(-math.inf))
    numbers = [draw(st.integers(0, 99)) for _ in range(2)]
    return QuasiPerm(*numbers, draw(st.floats(0, 1)), log_prob, order, tuple(sorted(alone)))


@st.composite
def precedences(draw: st.DrawFn) -> Precedence:
    n = draw(st.integers(0, 5))
    ninths = st.integers(1, 10**6).map(lambda k: k / 10**6)
    return Precedence({(i, j): draw(ninths) for i in range(n) for j in range(n) if i != j})


target_links = (
    st.lists(st.lists(st.integers(0, 12), unique=True, max_size=3).map(lambda some: tuple(sorted(some))))
    .filter(lambda words: words != [()])
    .map(lambda words: TargetLinks(tuple(words)))
)


@st.composite
def candidates(draw: st.DrawFn) -> CandidateTranslation:
    word = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1, max_size=5)
    words = draw(st.lists(word.filter(lambda w: "|" not in w), max_size=4))
    names = draw(st.lists(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True), max_size=3))
    features = tuple((name, tuple(draw(st.lists(scores, min_size=1, max_size=3)))) for name in names)
    return CandidateTranslation(draw(st.integers(0, 99)), " ".join(words), features, draw(scores | st.none()))


# A list of records for each format. A registered format that has no entry fails the tests.
ratings = st.builds(
    Rating,
    texts("\t", min_size=1),
    st.integers(1, 999_999_999),
    texts("\t", min_size=1),
    moderate | st.none(),
)


RECORDS: dict[str, st.SearchStrategy[list[Any]]] = {
    "annotation": layers(),
    "conllu": st.lists(sentences(), max_size=3),
    "giza": st.lists(giza_pairs(), max_size=4),
    "joint": st.lists(joint(), max_size=5),
    "jsonl": st.lists(st.dictionaries(texts(), values, max_size=3), max_size=4),
    "fast_align": st.lists(st.builds(ScoredPair, links(), scores), max_size=5),
    "simalign": st.lists(similar_links(), max_size=5),
    "lader": st.lists(alignments(), max_size=5),
    "nbest": st.lists(candidates(), max_size=5),
    "openfst": st.lists(automata(), max_size=4),
    "order": st.lists(permutations, max_size=6),
    "pharaoh": st.lists(links(), max_size=5),
    "plf": st.lists(plf_lattices(), max_size=4),
    "precedence": st.lists(precedences(), max_size=4),
    "quasiperm": st.lists(quasiperms(), max_size=4),
    "ratings": st.lists(ratings, max_size=5),
    "reference": st.lists(groups, max_size=4),
    "talbot": st.lists(target_links, max_size=5),
    "text": st.lists(texts(), max_size=6),
    "tsv": tables(),
    "wpt": st.lists(links(), max_size=5),
}
