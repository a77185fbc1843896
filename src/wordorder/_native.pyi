from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Bools, Doubles, Floats, Ints, Longs

class Aligner:
    def __init__(self) -> None: ...
    def start(
        self,
        source: Ints,
        source_offsets: Longs,
        target: Ints,
        target_offsets: Longs,
        source_words: int,
        target_words: int,
        threads: int,
    ) -> None: ...
    def set_prior(
        self,
        source_words: Sequence[str],
        target_words: Sequence[str],
        source_count: Longs,
        target_count: Longs,
        alpha: float,
        prefix: int,
        spelling: float,
        classes: float,
        threads: int,
    ) -> None: ...
    def start_from(self, rows: Longs, columns: Ints, target_words: int, threads: int) -> None: ...
    def expect(
        self,
        source: Ints,
        source_offsets: Longs,
        target: Ints,
        target_offsets: Longs,
        hmm: bool,
        agree: bool,
        null: float,
        threads: int,
    ) -> dict[str, NDArray[Any]]: ...
    def update(
        self,
        cells: Longs,
        target_nulls: Longs,
        source_nulls: Longs,
        steps: Longs,
        hmm: bool,
        alpha: float,
        jump_prior: float,
        threads: int,
    ) -> None: ...
    def cells(self) -> tuple[Longs, Ints]: ...
    def parameters(self) -> dict[str, NDArray[Any]]: ...
    def set_parameters(self, state: dict[str, NDArray[Any]]) -> None: ...
    def align(
        self,
        source: Ints,
        source_offsets: Longs,
        target: Ints,
        target_offsets: Longs,
        hmm: bool,
        null: float,
        symmetry: int,
        threshold: float,
        trained: bool,
        threads: int,
    ) -> tuple[Ints, Longs, Floats]: ...
    def state(self) -> dict[str, Ints | Longs | Floats | Doubles]: ...
    def set_state(self, state: dict[str, Any]) -> None: ...

def take(ids: Ints, offsets: Longs, lines: Longs) -> tuple[Ints, Longs]: ...

class WordTable:
    def __init__(self) -> None: ...
    def encode(self, text: bytes, splitter: int) -> tuple[Ints, Longs]: ...
    def look_up(self, text: bytes) -> tuple[Ints, Longs]: ...
    def words(self) -> list[str]: ...
    def __len__(self) -> int: ...

class Paraphrases:
    def __init__(self) -> None: ...
    def read(self, text: bytes) -> bool: ...
    def finish(self) -> bool: ...
    def numbers(self, words: Sequence[str]) -> Ints: ...
    @property
    def line(self) -> int: ...
    @property
    def pairs(self) -> int: ...

def match(
    hyp_ids: Ints,
    hyp_offsets: Longs,
    ref_ids: Ints,
    ref_offsets: Longs,
    words: int,
    beam: int,
    ties: int,
    halved: bool,
    stages: tuple[int, int, int, int],
    stems: Ints | None = None,
    synsets: tuple[Ints, Longs, int] | None = None,
    paraphrases: tuple[Paraphrases, Ints] | None = None,
) -> tuple[Ints, NDArray[np.int8], NDArray[np.int8], Bools]: ...
def match_by_context(
    hyp_ids: Ints, hyp_offsets: Longs, ref_ids: Ints, ref_offsets: Longs, words: int
) -> Ints: ...
def match_lines(
    hypotheses: bytes, references: bytes, splitter: int, beam: int, ties: int
) -> tuple[Ints, Longs, Longs, Longs, list[int]]: ...
def match_pairs(
    texts: bytes, first: Longs, second: Longs, splitter: int, beam: int, ties: int
) -> tuple[Ints, Longs, Longs, Longs, list[int]]: ...
def tally(counts: Longs) -> Longs: ...
def renumber(positions: Ints, offsets: Longs) -> tuple[Ints, Longs]: ...
def project(heads: Ints, flags: Ints, offsets: Longs) -> tuple[Ints, Ints, int]: ...
def linearise(heads: Ints, ranks: Ints, own_ranks: Ints, flags: Ints, offsets: Longs) -> tuple[Ints, int]: ...
def lattice(orders: Ints, table: Doubles, log_probs: Doubles) -> tuple[Ints, Doubles, Doubles]: ...
def trees(values: Ints, offsets: Longs, linear: bool = False) -> tuple[Ints, Longs]: ...
def tree_counts(values: Ints, offsets: Longs) -> Longs: ...
def count_shares(values: Ints, offsets: Longs) -> Doubles: ...
def real_counts(values: Ints, offsets: Longs, what: int) -> Doubles: ...
def counts(values: Ints, offsets: Longs, what: int) -> Longs: ...
def anticipated(values: Ints, offsets: Longs, k: int) -> Longs: ...

class Draws:
    def __init__(self, seed: Sequence[int]) -> None: ...
    def weights(self, samples: int, segments: int) -> Doubles: ...

def weighted_sums(draw: int, seed: int, first: int, rows: Doubles, samples: int) -> Longs: ...
def segment_weights(draw: int, seed: int, first: int, count: int, sample: int) -> Doubles: ...
def recursive(
    values: Ints, offsets: Longs, family: int, trees: int, op: int, beta: float, gamma: float
) -> Doubles: ...
def forest_cost(
    values: Ints, offsets: Longs, inverted: float, prime: float, arity: float, span: float
) -> Doubles: ...
def parse_permutations(text: bytes, base: int) -> tuple[Ints, Longs, int, int, int]: ...
def find_invalid(values: Ints, offsets: Longs) -> tuple[int, int]: ...
def format_rows(
    columns: Sequence[Doubles], first_number: int, fields: Sequence[tuple[str, int, int]], after: str
) -> bytes: ...
def symmetrise(
    forward: Ints, forward_offsets: Longs, reverse: Ints, reverse_offsets: Longs, symmetry: int
) -> tuple[Ints, Longs]: ...
def blocks(pairs: Ints, offsets: Longs) -> tuple[Ints, Longs]: ...
def hmm_posteriors(
    lexical: Floats, null_lexical: Floats, weights: Doubles, null: float
) -> tuple[Floats, Floats, float]: ...

class Lexicon:
    def __init__(self, words: bytes, frequent: int, text: int) -> None: ...
    def __len__(self) -> int: ...
    def shares(
        self, texts: bytes, first: Longs, second: Longs, least: float, prior: float, threads: int = ...
    ) -> Doubles: ...

def front_decoded(stored: bytes) -> bytes: ...

class ListedWords:
    def __init__(self, words: bytes, classes: list[int], parts: int, endings: bytes) -> None: ...
    def __len__(self) -> int: ...
    def is_compound(self, word: str) -> bool: ...
    def is_form(self, word: str) -> bool: ...
    def is_derived(self, word: str) -> bool: ...
    def shares(
        self, written: bytes, lowered: bytes, first: Longs, second: Longs, threads: int = ...
    ) -> Doubles: ...

class CommonWords:
    def __init__(self, words: bytes, each: int, alphabets: list[str]) -> None: ...
    def languages(self, lowered: bytes, chosen: Longs, least: float, prior: float) -> Longs: ...

def overlaps(
    texts: bytes,
    first: Longs,
    second: Longs,
    templates: Sequence[tuple[int, int, int]],
    split: int,
    utf16: bool,
    most: int = 0,
    solid: bool = False,
    threads: int = 1,
) -> Longs: ...

NativeOperators = Sequence[tuple[Sequence[int], int, int]]

def forests(
    ranks: Ints,
    offsets: Longs,
    primes: Sequence[Sequence[int]],
    trees: int,
    max_arity: int,
    attach_right: bool,
    attach_high: bool,
) -> tuple[Ints, Longs, NDArray[np.uint8]]: ...
def expected_counts(
    operators: NativeOperators,
    rules: Floats,
    lexical: Floats,
    tokens: Ints,
    offsets: Longs,
    nodes: Ints,
    ends: Longs,
    first: int,
    last: int,
    counts: bool,
    threads: int,
) -> tuple[Doubles, Doubles, Doubles]: ...
def best_in_forests(
    operators: NativeOperators,
    rules: Floats,
    lexical: Floats,
    tokens: Ints,
    offsets: Longs,
    nodes: Ints,
    ends: Longs,
    threads: int,
) -> list[tuple[float, list[tuple[int, int, int, int]]]]: ...
def orders_of_table(inverted: Doubles, k: int, moves: bool, widest: int) -> list[tuple[float, list[int]]]: ...

class GrammarDecoder:
    def __init__(self, operators: NativeOperators, rules: Floats, lexical: Floats) -> None: ...
    def consensus(
        self, words: Sequence[int], phrases: Sequence[tuple[int, int, int]], k: int, moves: bool
    ) -> tuple[Doubles, list[tuple[float, list[int]]], float, bool]: ...
    def best(
        self, words: Sequence[int], phrases: Sequence[tuple[int, int, int]], k: int
    ) -> list[tuple[float, list[tuple[int, int, int, int]]]]: ...
    def sample(
        self, words: Sequence[int], phrases: Sequence[tuple[int, int, int]], count: int, seed: int
    ) -> Ints: ...
    def log_order_probabilities(
        self, words: Sequence[int], phrases: Sequence[tuple[int, int, int]], orders: Ints
    ) -> Doubles: ...

_Scores = TypeVar("_Scores", Floats, Doubles)

def crf_posteriors(
    scores: _Scores, lengths: Ints, canonical: bool, threads: int
) -> tuple[Doubles, _Scores]: ...
def crf_loss(
    scores: _Scores, lengths: Ints, weights: _Scores, canonical: bool, threads: int
) -> tuple[Doubles, _Scores]: ...
def crf_tables(scores: _Scores, n: int, canonical: bool) -> tuple[float, Doubles, Doubles]: ...
def crf_best_tree(
    scores: _Scores, n: int, canonical: bool
) -> tuple[float, list[tuple[int, int, int, int]]]: ...
def crf_misordered(
    first: Ints, last: Ints, lengths: Ints, attach: bool, threads: int
) -> tuple[Floats, Floats]: ...
def crf_spans(
    left: Floats,
    right: Floats,
    width: Floats,
    buckets: Ints,
    lengths: Ints,
    masks: Floats,
    seed: int,
    threads: int,
) -> Floats: ...
def crf_spans_back(
    by: Floats,
    left: Floats,
    right: Floats,
    width: Floats,
    buckets: Ints,
    lengths: Ints,
    masks: Floats,
    seed: int,
    threads: int,
) -> tuple[Floats, Floats, Floats]: ...
def crf_edges(
    spans: Floats,
    weight: Floats,
    bias: Floats,
    turned: Floats,
    lengths: Ints,
    masks: Floats,
    seed: int,
    threads: int,
) -> Floats: ...
def crf_edges_back(
    by: Floats,
    spans: Floats,
    weight: Floats,
    bias: Floats,
    turned: Floats,
    lengths: Ints,
    masks: Floats,
    seed: int,
    threads: int,
) -> tuple[Floats, Floats, Floats, Floats]: ...
def crf_pair_weights(costs: Floats, lengths: Ints, threads: int) -> Floats: ...
def mixed_order(inverted: Doubles, following: Doubles, share: float, widest: int) -> list[int]: ...
def exchange_classes(values: Ints, offsets: Longs, words: int, classes: int, rounds: int) -> Ints: ...

class CrfLearner:
    def __init__(
        self,
        layers: int,
        bits: int,
        power: float,
        edges: Sequence[Sequence[int]],
        pairs: Sequence[Sequence[int]],
        canonical: bool = False,
        margin: bool = False,
        states: int = 1,
        state_edges: Sequence[Sequence[int]] = (),
        trees: Sequence[Sequence[int]] = (),
    ) -> None: ...
    def scores(self, codes: NDArray[np.uint32], lengths: Ints, threads: int) -> Floats: ...
    def step(
        self,
        codes: NDArray[np.uint32],
        lengths: Ints,
        weights: Floats,
        rate: float,
        l2: float,
        ease: float,
        threads: int,
    ) -> float: ...
    def derivatives(
        self, codes: NDArray[np.uint32], lengths: Ints, weights: Floats
    ) -> tuple[float, Floats]: ...
    def remember(self) -> None: ...
    def state(self) -> tuple[Floats, Floats, Doubles, int]: ...
    def set_state(self, weights: Floats, squares: Floats, sums: Doubles, remembered: int) -> None: ...
    def average(self) -> None: ...
    def weights(self) -> Floats: ...
    def set_weights(self, weights: Floats) -> None: ...

def model_scores(
    rows: Longs, names: Ints, values: Doubles, weights: Doubles, threads: int = 1
) -> Doubles: ...
def line_sums(
    starts: Longs, offset: Doubles, slope: Doubles, rows: Doubles, threads: int = 1
) -> tuple[Doubles, Doubles]: ...

class CandidateTable:
    def add_lines(self, text: bytes, begin: int = 0) -> int: ...
    def add(self, sentence: int, text: str, features: Sequence[tuple[str, Sequence[float]]]) -> int: ...
    def values_of(self, name: str) -> int: ...
    def sorted(
        self,
    ) -> tuple[Longs, Longs, Longs, Ints, Doubles, list[str], list[tuple[str, int]]]: ...
    def __len__(self) -> int: ...

def mira_pass(
    starts: Longs,
    rows: Longs,
    names: Ints,
    values: Doubles,
    gains: Doubles,
    order: Longs,
    weights: Doubles,
    correction: Doubles,
    steps: int,
    most: float,
) -> tuple[Doubles, Doubles, int]: ...
def similarities(
    counts: Longs,
    instead: list[int],
    pieces: Ints,
    others: Ints,
    measures: Ints,
    betas: Doubles,
    copies: Doubles,
    most: float,
) -> Doubles: ...
def weighted_rows(tables: list[Doubles], weights: Doubles) -> Doubles: ...
def shared_ngrams(
    symbols: Ints, offsets: Longs, order: int, first: Longs, second: Longs, threads: int = 1
) -> Longs: ...
def expected_ngrams(
    symbols: Ints, offsets: Longs, order: int, starts: Longs, weights: Doubles
) -> Doubles: ...
def keep_memory() -> None: ...
def pack_weights(weights: Floats) -> Floats: ...
def dense(x: Floats, weights: Floats, bias: Floats) -> Floats: ...
def bilstm(
    x: Floats,
    lengths: Ints,
    forward: tuple[Floats, Floats, Floats],
    backward: tuple[Floats, Floats, Floats],
    units: int,
) -> Floats: ...
def spanning_trees(scores: Doubles, k: int) -> tuple[Ints, Doubles]: ...
