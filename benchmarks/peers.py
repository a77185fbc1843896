"""What other libraries offer for the same work, called as their users would."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from wordorder.core.permutation import Permutations


def compiled_stack_scan() -> ctypes.CDLL:
    """Compile the quadratic parser with the machine's own compiler."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise SystemExit("benchmarks need a C++ compiler")
    source = Path(__file__).with_name("stack_scan.cpp")
    library = Path(tempfile.mkdtemp()) / "stack_scan.so"
    subprocess.run(
        [compiler, "-O3", "-std=c++17", "-shared", "-fPIC", str(source), "-o", str(library)], check=True
    )
    loaded = ctypes.CDLL(str(library))
    loaded.stack_scan.restype = ctypes.c_int64
    return loaded


def stack_scan(library: ctypes.CDLL, batch: Permutations) -> int:
    """The number of operators of all trees, by the quadratic parser."""
    values = batch.values.ctypes.data_as(ctypes.c_void_p)
    offsets = batch.offsets.ctypes.data_as(ctypes.c_void_p)
    spans = np.empty((len(batch.values), 2), dtype=np.int32)
    where, room = spans.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(len(spans))
    return int(library.stack_scan(values, offsets, ctypes.c_int64(len(batch)), where, room))


def permuta_operators(order: list[int]) -> int:
    """The number of operators of a tree made from permuta's primitives."""
    from permuta import Perm

    todo, operators = [Perm(order)], 0
    while todo:
        perm = todo.pop()
        if len(perm) < 2:
            continue
        parts = perm.sum_decomposition()
        if len(parts) == 1:
            parts = perm.skew_decomposition()
        if len(parts) > 1:
            operators += len(parts) - 1
            todo += parts
            continue
        operators += 1
        if not perm.is_simple():
            todo += _maximal_blocks(perm)
    return operators


def _maximal_blocks(perm: Any) -> list[Any]:
    """The widest proper intervals of a permutation that is neither sum nor skew decomposable."""
    from permuta import Perm

    spans = [
        (start, start + length)
        for length, starts in enumerate(perm.block_decomposition())
        if 1 < length < len(perm)
        for start in starts
    ]
    widest = [s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)]
    return [Perm.to_standard(perm[a:b]) for a, b in widest]


def scipy_kendall(orders: list[np.ndarray]) -> list[float]:
    from scipy.stats import kendalltau

    return [(kendalltau(range(len(o)), o).statistic + 1) / 2 for o in orders]


def scipy_spearman(orders: list[np.ndarray]) -> list[float]:
    from scipy.stats import spearmanr

    return [(spearmanr(range(len(o)), o).statistic + 1) / 2 for o in orders]


def nltk_kendall(orders: list[np.ndarray]) -> list[float]:
    from nltk.translate.ribes_score import kendall_tau

    return [kendall_tau(o.tolist(), normalize=True) for o in orders]


def nltk_spearman(orders: list[np.ndarray]) -> list[float]:
    from nltk.translate.ribes_score import spearman_rho

    return [spearman_rho(o.tolist(), normalize=True) for o in orders]


def sacrebleu_score(name: str, hypotheses: list[str], references: list[str]) -> float:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    made = {"bleu": BLEU, "chrf": CHRF, "ter": TER}[name]()
    return float(made.corpus_score(hypotheses, [references]).score)


def nltk_ribes(hypotheses: list[str], references: list[str]) -> float:
    from nltk.translate.ribes_score import corpus_ribes

    return float(
        corpus_ribes([[r.lower().split()] for r in references], [h.lower().split() for h in hypotheses])
    )


class NoSynonyms:
    """A WordNet without entries."""

    def synsets(self, word: str) -> list[object]:
        """Return nothing."""
        return []


def nltk_meteor(hypotheses: list[str], references: list[str]) -> list[float]:
    """METEOR with equal words and stems."""
    from nltk.translate.meteor_score import single_meteor_score

    return [
        single_meteor_score(r.split(), h.split(), wordnet=NoSynonyms())
        for h, r in zip(hypotheses, references, strict=True)
    ]


def nltk_exact_links(pairs: list[tuple[str, str]]) -> None:
    from nltk.translate.meteor_score import exact_match

    for hypothesis, reference in pairs:
        exact_match(hypothesis.split(), reference.split())


def nltk_ribes_links(pairs: list[tuple[str, str]]) -> None:
    from nltk.translate.ribes_score import word_rank_alignment

    for hypothesis, reference in pairs:
        word_rank_alignment(reference.split(), hypothesis.split())


def nltk_ibm1(source: list[str], target: list[str], iterations: int) -> None:
    """IBM model 1 in both directions."""
    from nltk.translate import AlignedSent, IBMModel1

    pairs = [(s.split(), t.split()) for s, t in zip(source, target, strict=True)]
    IBMModel1([AlignedSent(s, t) for s, t in pairs], iterations)
    IBMModel1([AlignedSent(t, s) for s, t in pairs], iterations)


def sacrebleu_pairwise_chrf(lists: list[list[str]]) -> None:
    from sacrebleu.metrics.chrf import CHRF

    chrf = CHRF()
    for candidates in lists:
        for hypothesis in candidates:
            for reference in candidates:
                chrf.sentence_score(hypothesis, [reference])


def mbrs_chrf(lists: list[list[str]], *, fast: bool) -> None:
    from mbrs.decoders import DecoderMBR
    from mbrs.metrics import MetricChrF

    utility = MetricChrF(MetricChrF.Config(fastchrf=fast, num_workers=1))
    decoder = DecoderMBR(DecoderMBR.Config(), utility)
    for candidates in lists:
        decoder.decode(candidates, candidates)
