"""Call every bound function with wrong arguments; run by test_boundary.py in a process of its own.

    python -m tests.native.wrong_calls LOG SECONDS [SEED]

Each call changes one or two arguments of a call that is right. A call is written to LOG before it is made, so
that LOG names the one that crashed or hung. Exceptions are expected, and so are results. Objects that a wrong
call made or changed are used: their methods are called with right arguments.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from wordorder import _native

Arguments = dict[str, Any]
Call = tuple[Callable[..., Any], Callable[[], Arguments]]


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def longs(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def doubles(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def floats(*shape: int) -> np.ndarray:
    return np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape)


ORDERS = {"values": ints(2, 0, 1, 1, 0), "offsets": longs(0, 3, 5)}
SIDES = {
    "hyp_ids": ints(0, 1, 2, 1), "hyp_offsets": longs(0, 3, 4),
    "ref_ids": ints(1, 0, 2), "ref_offsets": longs(0, 2, 3), "words": 3,
}  # fmt: skip
CORPUS = {
    "source": ints(0, 1, 1), "source_offsets": longs(0, 2, 3),
    "target": ints(1, 0, 2), "target_offsets": longs(0, 1, 3),
}  # fmt: skip
EDGES = 2 * 4  # of three words
PACKED = _native.pack_weights(floats(3, 2))
LSTM = (_native.pack_weights(floats(20, 2)), _native.pack_weights(floats(20, 5)), floats(20))
TWO = [([0, 1], 2, -1), ([1, 0], 2, -1), ([0, 1], 1, 0)]  # two states each, and a word without links
SLOTS, STATES = 2 * 2 + 2 * 2 + 2 * 1, 5
GRAMMAR = {
    "operators": TWO,
    "rules": np.full((SLOTS + 1, STATES), 0.1, dtype=np.float32),
    "lexical": np.full((4, SLOTS + 1), 0.1, dtype=np.float32),
}
BANK = {
    "tokens": ints(0, 1, 2, 3, 0), "offsets": longs(0, 3, 5),
    "nodes": ints(0, 3, 0, 1, 0, 2, 1, 0).reshape(2, 4), "ends": longs(0, 1, 2),
}  # fmt: skip
LEARNER = {
    "layers": 2, "bits": 4, "power": 0.5, "edges": [[0, -1, 1, -1, -1, -1, 0, -1, -1]],
    "pairs": [[-1, 0, -1, -1, 1, -1, 0]], "canonical": False, "margin": False, "states": 1, "state_edges": [],
    "trees": [[0, -1, 1, -1, 0, 0, 0, -1]],
}  # fmt: skip
CODES = {"codes": np.arange(9, dtype=np.uint32), "lengths": ints(3)}
SPANS = {
    "left": floats(6, 4), "right": floats(6, 4), "width": floats(3, 4), "buckets": ints(0, 0, 1, 2, 2),
    "lengths": ints(3, 1), "masks": np.ones((2, 4), dtype=np.float32), "seed": 3, "threads": 2,
}  # fmt: skip
LAST = {
    "spans": floats(7, 12), "weight": floats(2, 4), "bias": floats(2), "turned": floats(2, 3, 3),
    "lengths": ints(3, 1), "masks": np.ones((2, 4), dtype=np.float32), "seed": 3, "threads": 2,
}  # fmt: skip
FEATURES = {"rows": longs(0, 2, 3, 4), "names": ints(0, 1, 0, 1), "values": doubles(1, 2, 3, 4)}
PAIRS = {"first": longs(0, 1), "second": longs(1, 1)}
NBEST = b"0 ||| a b ||| LM0= -1 2 ||| 3\n0 ||| c ||| LM0= -2 1 ||| 2\n"
PARAPHRASES = b"0.5\na b\nc\n"


def aligner() -> _native.Aligner:
    out = _native.Aligner()
    out.start(**CORPUS, source_words=2, target_words=3, threads=1)
    return out


def paraphrases(*, finished: bool = True) -> _native.Paraphrases:
    out = _native.Paraphrases()
    out.read(PARAPHRASES)
    if finished:
        out.finish()
    return out


def learner() -> _native.CrfLearner:
    return _native.CrfLearner(**LEARNER)


def calls() -> dict[str, Call]:
    """Return a right call of every bound function and method: the function, and fresh arguments."""
    n = _native
    made, known, words = aligner(), paraphrases(), n.WordTable()
    counts = made.expect(**CORPUS, hmm=True, agree=True, null=0.2, threads=1)
    del counts["likelihood"]
    decoder, learned = n.GrammarDecoder(**GRAMMAR), learner()
    lexicon = n.Lexicon(b"the\ncat\n", 1, 100)
    listed, common = n.ListedWords(b"the\ncat\n", [1], 2, b"s -\n"), n.CommonWords(b"the\ndie\n", 1, ["", ""])
    sentence: Arguments = {"words": [0, 1, 2], "phrases": [(0, 2, 3)]}
    scores = np.linspace(0, 1, EDGES)
    state = learned.state()
    right: dict[str, tuple[Callable[..., Any], Arguments]] = {
        "keep_memory": (n.keep_memory, {}),
        "trees": (n.trees, {**ORDERS, "linear": False}),
        "trees linear": (n.trees, {**ORDERS, "linear": True}),
        "tree_counts": (n.tree_counts, ORDERS),
        "count_shares": (n.count_shares, ORDERS),
        "counts": (n.counts, {**ORDERS, "what": 0}),
        "real_counts": (n.real_counts, {**ORDERS, "what": 7}),
        "anticipated": (n.anticipated, {**ORDERS, "k": 1}),
        "recursive": (n.recursive, {**ORDERS, "family": 0, "trees": 3, "op": 1, "beta": 0.5, "gamma": 0.1}),
        "forest_cost": (n.forest_cost, {**ORDERS, "inverted": 1.0, "prime": 2.0, "arity": 0.5, "span": 0.5}),
        "find_invalid": (n.find_invalid, ORDERS),
        "parse_permutations": (
            n.parse_permutations,
            {"text": b"1 0 2\n\xe2\x9f\xa80\xe2\x9f\xa9\n", "base": 0},
        ),
        "format_rows": (
            n.format_rows,
            {
                "columns": [doubles(1, 2)],
                "first_number": 1,
                "fields": [("", 3, 0), ("\t", 6, 3)],
                "after": "\n",
            },
        ),
        "lattice": (
            n.lattice,
            {
                "orders": ints(0, 1, 2, 1, 0, 2).reshape(2, 3),
                "table": np.zeros((3, 3)),
                "log_probs": doubles(-1, -2),
            },
        ),
        "orders_of_table": (
            n.orders_of_table,
            {"inverted": np.full((3, 3), 0.4), "k": 2, "moves": True, "widest": 2},
        ),
        "mixed_order": (
            n.mixed_order,
            {"inverted": np.full((3, 3), 0.4), "following": np.full((4, 4), 0.2), "share": 0.5, "widest": 2},
        ),
        "forests": (
            n.forests,
            {
                "ranks": ints(2, -1, 0, 1, 1, 0),
                "offsets": longs(0, 4, 6),
                "primes": [[1, 3, 0, 2]],
                "trees": 0,
                "max_arity": 5,
                "attach_right": False,
                "attach_high": False,
            },
        ),
        "expected_counts": (
            n.expected_counts,
            {**GRAMMAR, **BANK, "first": 0, "last": 2, "counts": True, "threads": 2},
        ),
        "best_in_forests": (n.best_in_forests, {**GRAMMAR, **BANK, "threads": 2}),
        "GrammarDecoder": (n.GrammarDecoder, GRAMMAR),
        "GrammarDecoder.consensus": (decoder.consensus, {**sentence, "k": 2, "moves": True}),
        "GrammarDecoder.best": (decoder.best, {**sentence, "k": 2}),
        "GrammarDecoder.sample": (decoder.sample, {**sentence, "count": 2, "seed": 1}),
        "GrammarDecoder.log_order_probabilities": (
            decoder.log_order_probabilities,
            {**sentence, "orders": ints(0, 2, 1).reshape(1, 3)},
        ),
        "match": (
            n.match,
            {
                **SIDES,
                "beam": 10,
                "ties": 0,
                "halved": False,
                "stages": (0, 1, 2, 3),
                "stems": ints(0, 1, 1),
                "synsets": (ints(0, 1), longs(0, 1, 2, 2), 2),
                "paraphrases": (known, ints(-1, 0, 1)),
            },
        ),
        "match_by_context": (n.match_by_context, SIDES),
        "match_lines": (
            n.match_lines,
            {
                "hypotheses": b"the cat\na b\n",
                "references": b"a cat\nb a\n",
                "splitter": 1,
                "beam": 40,
                "ties": 0,
            },
        ),
        "match_pairs": (
            n.match_pairs,
            {"texts": b"the cat\na cat\n", **PAIRS, "splitter": 0, "beam": 40, "ties": 1},
        ),
        "tally": (n.tally, {"counts": np.array([[3, 2, 5], [0, 0, 1]])}),
        "renumber": (n.renumber, {"positions": ints(5, -1, 0, 2), "offsets": longs(0, 3, 4)}),
        "Paraphrases": (n.Paraphrases, {}),
        "Paraphrases.read": (n.Paraphrases().read, {"text": PARAPHRASES}),
        "Paraphrases.finish": (paraphrases(finished=False).finish, {}),
        "Paraphrases.numbers": (known.numbers, {"words": ["a", "x"]}),
        "take": (n.take, {"ids": ints(0, 1, 2), "offsets": longs(0, 2, 3), "lines": longs(1, 0, 1)}),
        "Draws": (n.Draws, {"seed": [5, 1]}),
        "Draws.weights": (n.Draws([5]).weights, {"samples": 3, "segments": 4}),
        "weighted_sums": (
            n.weighted_sums,
            {"draw": 1, "seed": 5, "first": 3, "rows": np.ones((5, 2)), "samples": 7},
        ),
        "segment_weights": (n.segment_weights, {"draw": 2, "seed": 5, "first": 3, "count": 9, "sample": 2}),
        "WordTable": (n.WordTable, {}),
        "WordTable.encode": (words.encode, {"text": b"the cat\nsat\n", "splitter": 1}),
        "WordTable.look_up": (words.look_up, {"text": b"the dog\nsat\n"}),
        "WordTable.words": (words.words, {}),
        "overlaps": (
            n.overlaps,
            {
                "texts": b"the cat\na cat\n",
                **PAIRS,
                "templates": [(0, 2, 0), (2, -1, 0)],
                "split": 0,
                "utf16": False,
                "most": 0,
                "solid": False,
                "threads": 1,
            },
        ),
        "shared_ngrams": (
            n.shared_ngrams,
            {"symbols": ints(1, 2, 3, 2), "offsets": longs(0, 3, 4), "order": 2, **PAIRS, "threads": 1},
        ),
        "expected_ngrams": (
            n.expected_ngrams,
            {
                "symbols": ints(1, 2, 3, 2),
                "offsets": longs(0, 3, 4),
                "order": 2,
                "starts": longs(0, 2),
                "weights": doubles(0.5, 0.5),
            },
        ),
        "Lexicon": (n.Lexicon, {"words": b"the\ncat\n", "frequent": 1, "text": 100}),
        "Lexicon.shares": (
            lexicon.shares,
            {"texts": b"the cat\na cat\n", **PAIRS, "least": 0.35, "prior": 0.35, "threads": 2},
        ),
        "ListedWords": (
            n.ListedWords,
            {"words": b"the\ncat\n", "classes": [1], "parts": 2, "endings": b"s -\n"},
        ),
        "ListedWords.is_compound": (listed.is_compound, {"word": "catcat"}),
        "ListedWords.is_form": (listed.is_form, {"word": "cats"}),
        "ListedWords.is_derived": (listed.is_derived, {"word": "cats"}),
        "ListedWords.shares": (
            listed.shares,
            {"written": b"The cat\na cat\n", "lowered": b"the cat\na cat\n", **PAIRS, "threads": 2},
        ),
        "front_decoded": (n.front_decoded, {"stored": b""}),
        "CommonWords": (n.CommonWords, {"words": b"the\ndie\n", "each": 1, "alphabets": ["", ""]}),
        "CommonWords.languages": (
            common.languages,
            {"lowered": b"the\ndie\n", "chosen": longs(1, 0, 1), "least": 0.2, "prior": 0.35},
        ),
        "similarities": (
            n.similarities,
            {
                "counts": np.array([[[1, 0], [2, 0], [2, 1]], [[0, 0], [1, 0], [2, 0]]], dtype=np.int64),
                "instead": [-1, 0],
                "pieces": ints(0, 1, 0),
                "others": ints(0, 1, 1),
                "measures": ints(4, 6, 11),
                "betas": doubles(1, 1, 1),
                "copies": doubles(0, 1, 0),
                "most": 5.0,
            },
        ),
        "weighted_rows": (n.weighted_rows, {"tables": [np.ones((2, 3))], "weights": doubles(1, 2)}),
        "project": (n.project, {"heads": ints(-1, 0, 1), "flags": ints(0, 0, 0), "offsets": longs(0, 3)}),
        "linearise": (
            n.linearise,
            {
                "heads": ints(-1, 0, 1),
                "ranks": ints(0, 1, 2),
                "own_ranks": ints(0, 0, 0),
                "flags": ints(0, 1, 0),
                "offsets": longs(0, 3),
            },
        ),
        "Aligner": (n.Aligner, {}),
        "Aligner.start": (n.Aligner().start, {**CORPUS, "source_words": 2, "target_words": 3, "threads": 2}),
        "Aligner.set_prior": (
            aligner().set_prior,
            {
                "source_words": ["a", "b"],
                "target_words": ["c", "d", "e"],
                "source_count": longs(1, 2),
                "target_count": longs(1, 1, 1),
                "alpha": 0.01,
                "prefix": 3,
                "spelling": 1.0,
                "classes": 1.0,
                "threads": 2,
            },
        ),
        "Aligner.start_from": (
            n.Aligner().start_from,
            {"rows": longs(0, 2, 3), "columns": ints(0, 2, 1), "target_words": 3, "threads": 2},
        ),
        "Aligner.expect": (
            made.expect,
            {**CORPUS, "hmm": True, "agree": True, "null": 0.2, "threads": 2},
        ),
        "Aligner.update": (
            aligner().update,
            {**counts, "hmm": True, "alpha": 0.01, "jump_prior": 0.1, "threads": 2},
        ),
        "Aligner.cells": (made.cells, {}),
        "Aligner.parameters": (made.parameters, {}),
        "Aligner.set_parameters": (aligner().set_parameters, {"state": made.parameters()}),
        "Aligner.align": (
            made.align,
            {
                **CORPUS,
                "hmm": True,
                "null": 0.2,
                "symmetry": 0,
                "threshold": 0.3,
                "trained": True,
                "threads": 2,
            },
        ),
        "Aligner.state": (made.state, {}),
        "Aligner.set_state": (aligner().set_state, {"state": made.state()}),
        "symmetrise": (
            n.symmetrise,
            {
                "forward": ints(0, 0, 1, 1).reshape(2, 2),
                "forward_offsets": longs(0, 2),
                "reverse": ints(0, 1).reshape(1, 2),
                "reverse_offsets": longs(0, 1),
                "symmetry": 7,
            },
        ),
        "blocks": (n.blocks, {"pairs": ints(0, 0, 1, 1).reshape(2, 2), "offsets": longs(0, 2)}),
        "hmm_posteriors": (
            n.hmm_posteriors,
            {
                "lexical": np.full(4, 0.2, dtype=np.float32),
                "null_lexical": np.full(2, 0.1, dtype=np.float32),
                "weights": np.asarray(made.state()["forward_jumps"]),
                "null": 0.2,
            },
        ),
        "crf_posteriors": (
            n.crf_posteriors,
            {"scores": scores, "lengths": ints(3), "canonical": True, "threads": 2},
        ),
        "crf_loss": (
            n.crf_loss,
            {"scores": scores, "lengths": ints(3), "weights": -scores, "canonical": False, "threads": 2},
        ),
        "crf_tables": (n.crf_tables, {"scores": scores, "n": 3, "canonical": False}),
        "crf_best_tree": (n.crf_best_tree, {"scores": scores, "n": 3, "canonical": False}),
        "crf_misordered": (
            n.crf_misordered,
            {
                "first": ints(0, -1, 2),
                "last": ints(1, -1, 2),
                "lengths": ints(3),
                "attach": True,
                "threads": 2,
            },
        ),
        "exchange_classes": (
            n.exchange_classes,
            {"values": ints(0, 1, 2, 1), "offsets": longs(0, 3, 4), "words": 3, "classes": 2, "rounds": 2},
        ),
        "crf_spans": (n.crf_spans, SPANS),
        "crf_spans_back": (n.crf_spans_back, {"by": floats(7, 4), **SPANS}),
        "crf_edges": (n.crf_edges, LAST),
        "crf_edges_back": (n.crf_edges_back, {"by": floats(EDGES), **LAST}),
        "crf_pair_weights": (
            n.crf_pair_weights,
            {"costs": floats(2, 2, 3, 3), "lengths": ints(3, 1), "threads": 2},
        ),
        "pack_weights": (n.pack_weights, {"weights": floats(3, 2)}),
        "dense": (n.dense, {"x": floats(4, 2), "weights": PACKED, "bias": floats(3)}),
        "bilstm": (
            n.bilstm,
            {"x": floats(3, 2), "lengths": ints(2, 1), "forward": LSTM, "backward": LSTM, "units": 5},
        ),
        "spanning_trees": (n.spanning_trees, {"scores": np.eye(3, 4), "k": 3}),
        "CrfLearner": (n.CrfLearner, LEARNER),
        "CrfLearner.scores": (learned.scores, {**CODES, "threads": 2}),
        "CrfLearner.step": (
            learner().step,
            {**CODES, "weights": floats(EDGES), "rate": 0.1, "l2": 0.0, "ease": 0.1, "threads": 2},
        ),
        "CrfLearner.derivatives": (learned.derivatives, {**CODES, "weights": floats(EDGES)}),
        "CrfLearner.remember": (learner().remember, {}),
        "CrfLearner.average": (learner().average, {}),
        "CrfLearner.state": (learned.state, {}),
        "CrfLearner.set_state": (
            learner().set_state,
            dict(zip(("weights", "squares", "sums", "remembered"), state, strict=True)),
        ),
        "CrfLearner.weights": (learned.weights, {}),
        "CrfLearner.set_weights": (learner().set_weights, {"weights": state[0]}),
        "model_scores": (n.model_scores, {**FEATURES, "weights": doubles(1, 2), "threads": 2}),
        "line_sums": (
            n.line_sums,
            {
                "starts": longs(0, 2, 3),
                "offset": doubles(1, 2, 3),
                "slope": doubles(3, 2, 1),
                "rows": np.eye(3),
                "threads": 2,
            },
        ),
        "CandidateTable": (n.CandidateTable, {}),
        "CandidateTable.add_lines": (n.CandidateTable().add_lines, {"text": NBEST, "begin": 0}),
        "CandidateTable.add": (
            n.CandidateTable().add,
            {"sentence": 0, "text": "a b", "features": [("LM0", [-1.0, 2.0])]},
        ),
        "CandidateTable.values_of": (n.CandidateTable().values_of, {"name": "LM0"}),
        "CandidateTable.sorted": (n.CandidateTable().sorted, {}),
        "mira_pass": (
            n.mira_pass,
            {
                "starts": longs(0, 2, 3),
                **FEATURES,
                "gains": doubles(0, 1, 2),
                "order": longs(1, 0),
                "weights": doubles(1, 2),
                "correction": doubles(0, 0),
                "steps": 0,
                "most": 0.1,
            },
        ),
    }
    return {name: (function, lambda given=given: dict(given)) for name, (function, given) in right.items()}


BIG = 2**31 - 1
EXPECTED = (TypeError, ValueError, KeyError, MemoryError, OverflowError, RuntimeError)


def wrong_arrays(array: np.ndarray, rng: random.Random) -> list[Any]:
    """Return arrays that are not like this one."""
    out: list[Any] = [array.astype(kind) for kind in ("f8", "f4", "i4", "i8", "u1", "?", "c16", "O")]
    out += [
        array[:0],
        array[:1],
        array[:-1],
        array[::2],
        array[::-1],
        array.ravel(),
        array.reshape(1, *array.shape),
    ]
    out += [np.concatenate([array, array]), np.asfortranarray(array), np.zeros_like(array)]
    limits = np.iinfo(array.dtype) if array.dtype.kind in "iu" else None
    for value in (-1, 1, 63, 64, 1000, BIG, -BIG - 1, 2**63 - 1, -(2**63), 2**32):
        if limits is None or limits.min <= value <= limits.max:
            out.append(np.full_like(array, value))
            one = array.copy()
            if one.size:
                one.flat[rng.randrange(one.size)] = value
            out.append(one)
    if array.dtype.kind == "f":
        for number in (np.nan, np.inf, -np.inf, 1e30, -1e30, 1e-30):
            one = array.copy()
            if one.size:
                one.flat[rng.randrange(one.size)] = number
            out += [one, np.full_like(array, number)]
    shuffled = array.ravel().copy()
    np.random.default_rng(rng.randrange(2**32)).shuffle(shuffled)
    return [*out, shuffled.reshape(array.shape)]


def wrong_values(value: Any, rng: random.Random) -> list[Any]:
    """Return values that might be passed instead of this one."""
    common: list[Any] = [None, "text", b"bytes", [], object(), float("nan")]
    if isinstance(value, np.ndarray):
        return common + wrong_arrays(value, rng)
    if isinstance(value, bool | int):
        numbers = [-1, 0, 1, 2, 3, 7, 64, 65, 1025, BIG, -BIG - 1, 2**31, 2**63 - 1, -(2**63), 2**64, 10**30]
        return [*common, *numbers]
    if isinstance(value, float):
        return [*common, -1.0, 0.0, 1.0, 1e308, -1e308, 5e-324, float("inf"), float("-inf"), 10**400]
    if isinstance(value, bytes):
        noise = bytes(rng.randrange(256) for _ in range(60))
        return [
            *common,
            b"",
            b"\n\n",
            value[:-1],
            value * 50,
            noise,
            b"\xff\xfe",
            b"a" * 5000,
            value.replace(b" ", b""),
        ]
    if isinstance(value, str):
        return [*common, "", "x" * 5000, "\0", "\ud800"]
    if isinstance(value, dict):
        key = rng.choice(sorted(value))
        less = {k: v for k, v in value.items() if k != key}
        return [*common, {}, less, *({**value, key: wrong} for wrong in wrong_values(value[key], rng))]
    if isinstance(value, list | tuple) and value:
        at = rng.randrange(len(value))
        kind = type(value)
        changed = [kind([*value[:at], wrong, *value[at + 1 :]]) for wrong in wrong_values(value[at], rng)]
        return [*common, value[:-1], value + value, *changed]
    return common


def use(made: object, right: dict[str, Call]) -> None:
    """Call the methods of an object that is bound."""
    beginning = f"{type(made).__name__}."
    for name, (_, arguments) in right.items():
        if name.startswith(beginning):
            with contextlib.suppress(*EXPECTED):
                getattr(made, name.removeprefix(beginning))(**arguments())


def main() -> None:
    """Make wrong calls until the time is over."""
    log = open(sys.argv[1], "w")  # noqa: SIM115
    seconds, seed = float(sys.argv[2]), int(sys.argv[3]) if sys.argv[3:] else 1
    # Sanitizers reserve terabytes, and have limits of their own.
    if not {"ASAN_OPTIONS", "TSAN_OPTIONS"} & set(os.environ):
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    np.seterr(all="ignore")
    rng = random.Random(seed)
    end, made = time.monotonic() + seconds, 0
    right_calls = calls()
    while True:
        for name in sorted(right_calls):
            function, arguments = calls()[name]
            right = arguments()
            todo = [(key, wrong) for key in right for wrong in wrong_values(right[key], rng)]
            rng.shuffle(todo)
            for key, wrong in todo:
                given = {**right, key: wrong}
                if rng.random() < 0.3:
                    other = rng.choice(sorted(right))
                    given[other] = rng.choice(wrong_values(right[other], rng))
                log.seek(0)
                log.truncate()
                log.write(f"{name} {given!r}\n")
                log.flush()
                function = calls()[name][0] if "." in name else function
                with contextlib.suppress(*EXPECTED):
                    use(function(**given), right_calls)
                if "." in name:
                    use(function.__self__, right_calls)  # type: ignore[attr-defined]
                made += 1
                if time.monotonic() > end:
                    print(made)
                    return


if __name__ == "__main__":
    main()
