"""Scores, signatures and p-values of sacrebleu, computed by it in the same run on the sample."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import sacrebleu
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest

from experiments.interoperability.comparison import Comparison
from wordorder.data import sample
from wordorder.engine.compare import compare
from wordorder.metrics import metric
from wordorder.metrics.segments import Segments

COMMAND = "python -m experiments.interoperability sacrebleu"
SYSTEMS = ("system-a", "system-b")
SEED = 12345
Settings = tuple[str, dict[str, Any], Any]


def all_settings() -> list[Settings]:
    """Return 48 combinations of settings: the name of the metric, its settings, and sacrebleu's object."""
    both = (False, True)
    made: list[Settings] = []
    for tokenize, lower, smooth in itertools.product(
        ("13a", "none", "char"), both, ("exp", "floor", "add-k", "none")
    ):
        peer: Any = BLEU(tokenize=tokenize, lowercase=lower, smooth_method=smooth, force=True)
        made.append(("bleu", {"tokenize": tokenize, "lowercase": lower, "smooth": smooth}, peer))
    for words, lower, chars in itertools.product((0, 2), both, (6, 4)):
        peer = CHRF(word_order=words, lowercase=lower, char_order=chars)
        made.append(("chrf", {"words": words, "lowercase": lower, "chars": chars}, peer))
    for normalized, punctuation, lower, asian in itertools.product(both, repeat=4):
        peer = TER(
            normalized=normalized, no_punct=not punctuation, case_sensitive=not lower, asian_support=asian
        )
        settings = {"normalized": normalized, "punctuation": punctuation, "lowercase": lower, "asian": asian}
        made.append(("ter", {**settings, "tokenize": "none"}, peer))
    return made


def comparisons(data: Path | None) -> Iterator[Comparison]:
    """Compare scores with signatures, then p-values."""
    texts = {name: sample(f"{name}.txt").read_text("utf-8").splitlines() for name in SYSTEMS}
    references = sample("reference.txt").read_text("utf-8").splitlines()
    scored = signed = cases = 0
    for (name, settings, peer), hypotheses in itertools.product(all_settings(), texts.values()):
        for streams in ([references], [references, references[::-1]]):
            ours = metric(name, **settings).corpus_score(hypotheses, streams)
            theirs = peer.corpus_score(hypotheses, streams)
            scored += ours.score == theirs.score
            signed += ours.signature == f"{name}|{peer.get_signature().format()}"
            cases += 1
    detail = "48 settings, 2 systems, 1 and 2 references"
    yield _row(f"BLEU, chrF and TER of corpora: {detail}", cases, scored, "to the last digit")
    yield _row("signatures of these scores", cases, signed, "the same text after the name of the metric")
    yield from _p_values(texts, references)


def mixtures(texts: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the first system, and mixtures of it with more and more sentences of the second."""
    first, second = texts.values()
    mixed = {"0": first}
    for every in (10, 5, 4, 3):
        mixed[str(every)] = [second[k] if k % every == 0 else line for k, line in enumerate(first)]
    return mixed


def _p_values(texts: dict[str, list[str]], references: list[str]) -> Iterator[Comparison]:
    """Compare the p-values of differences from the first system."""
    texts = mixtures(texts)
    metrics = {"BLEU": (metric("bleu:tokenize=13a"), BLEU()), "chrF2": (metric("chrf"), CHRF()),
               "TER": (metric("ter:tokenize=none"), TER())}  # fmt: skip
    peers = {name: peer for name, (_, peer) in metrics.items()}
    rows = [
        [made.statistics(Segments(lines, [references])) for made, _ in metrics.values()]
        for lines in texts.values()
    ]
    scorers = [made.scores for made, _ in metrics.values()]
    for ours, theirs, why in (
        ("bootstrap-sacrebleu", "bs", "the same samples (seed 12345)"),
        ("bootstrap", "bs", "ours is two-sided: [why](text-scores.md#sacrebleus-p-values)"),
    ):
        with patch.dict(os.environ, SACREBLEU_SEED=str(SEED)):
            _, told = PairedTest(list(texts.items()), peers, [references], test_type=theirs, n_samples=1000)()
        results = compare(rows, scorers, samples=1000, seed=SEED, paired=ours).results
        equal = [
            results[k][m].p_value == getattr(told[name][k], "p_value", None)
            for k in range(1, len(texts))
            for m, name in enumerate(metrics)
        ]
        yield _row(f"p-values of `--paired {ours}` and of `--paired-bs`", len(equal), sum(equal), why)


def _row(compared: str, cases: int, equal: int, how: str) -> Comparison:
    return Comparison(
        program="sacrebleu", version=sacrebleu.__version__, compared=compared, cases=cases, equal=equal,
        how=how, command=COMMAND,
    )  # fmt: skip
