"""Scores, signatures and p-values are those of sacrebleu, computed by it in the same run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

from experiments.interoperability.with_sacrebleu import all_settings
from wordorder.engine.compare import compare
from wordorder.metrics import Metric, from_signature, metric
from wordorder.metrics.segments import Segments

HYPOTHESES = [
    "tomorrow I will wait for you .", "on the mat the cat sat down", "fell Snow", "", "昨天我们看到一只猫。",
    "A well-known &quot;fact&quot;, isn't it?", "3.5 % of 1,000 -- at most",
]  # fmt: skip
REFERENCES = [
    ["i will wait for you tomorrow .", "the cat sat on the mat", "Snow fell .", "good morning",
     "我们昨天看到了猫。", 'a well-known "fact", is it not?', "at most 3.5% of 1,000"],
    ["tomorrow i shall wait for you .", "on the mat sat the cat", "It snowed .", "morning",
     "昨天，我们看见猫！", "isn't that a fact?", "3.5 percent of 1000"],
]  # fmt: skip
CASES = all_settings()


def test_there_are_48_cases() -> None:
    assert len(CASES) == 48


@pytest.mark.parametrize(
    ("name", "settings", "peer"), CASES, ids=lambda part: str(part) if isinstance(part, dict) else ""
)
@pytest.mark.parametrize("references", [REFERENCES[:1], REFERENCES], ids=["one", "two"])
def test_scores_and_signatures(
    name: str, settings: dict[str, Any], peer: Any, references: list[list[str]]
) -> None:
    made = metric(name, **settings)
    ours, theirs = made.corpus_score(HYPOTHESES, references), peer.corpus_score(HYPOTHESES, references)
    assert ours.score == theirs.score
    assert ours.signature == f"{name}|{peer.get_signature().format()}"
    assert from_signature(ours.signature) == made


def test_words_of_asian_text_are_those_of_sacrebleu() -> None:
    """Without ``asian``, a tokenizer is chosen by script; with it, sacrebleu splits the text."""
    texts, references = [HYPOTHESES[4]] * 3, [[REFERENCES[0][4]] * 3]
    peer = TER(normalized=True, asian_support=True)
    assert (
        metric("ter:normalized=true,asian=true").corpus_score(texts, references).score
        == peer.corpus_score(texts, references).score
    )
    assert "|tokenize:zh" in metric("ter").corpus_score(texts, references).signature


@pytest.mark.parametrize("seed", [12345, 7])
def test_p_values_of_the_bootstrap(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    rng = np.random.default_rng(2)
    references = [" ".join(rng.choice(list("abcdefgh"), rng.integers(4, 12))) for _ in range(80)]

    def system(noise: float) -> list[str]:
        return [" ".join(w if rng.random() > noise else "x" for w in line.split()) for line in references]

    systems = [system(noise) for noise in (0.3, 0.33, 0.36, 0.3)]
    metrics: dict[str, Metric] = {name: metric(f"{name}:tokenize=none" if name == "bleu" else name)
                                  for name in ("bleu", "chrf")}  # fmt: skip
    peers = {"BLEU": BLEU(tokenize="none", force=True), "chrF2": CHRF()}
    names = [(str(k), lines) for k, lines in enumerate(systems)]
    _, told = PairedTest(names, peers, [references], test_type="bs", n_samples=300)()
    rows = [[m.statistics(Segments(lines, [references])) for m in metrics.values()] for lines in systems]
    ours = compare(
        rows, [m.scores for m in metrics.values()], samples=300, seed=seed, paired="bootstrap-sacrebleu"
    )
    usual = compare(rows, [m.scores for m in metrics.values()], samples=300, seed=seed, paired="bootstrap")
    checked = 0
    for m, name in enumerate(peers):
        for k in range(1, len(systems)):
            theirs = told[name][k]
            assert ours.results[k][m].p_value == theirs.p_value  # type: ignore[union-attr]
            checked += 1
    assert checked == 6
    halves = [ours.results[k][0].p_value / usual.results[k][0].p_value for k in (1, 2)]  # type: ignore[operator]
    assert all(0.2 < half < 1.0 for half in halves), "one tail instead of two"
