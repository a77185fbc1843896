"""The E-step on processes of a Dask cluster: same counts, and a killed worker loses nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.preorder.test_grammar_training import (
    SMALL,
    TokenisedSentence,
    bank_of,
    corpus,
    random_tables,
    random_tokens,
)
from wordorder.engine.cluster import runner
from wordorder.errors import BadSetting
from wordorder.preorder import RunOptions, TrainingData
from wordorder.preorder.grammar.em import shared_out
from wordorder.preorder.grammar.operators import OPERATORS
from wordorder.preorder.grammar.tables import expect
from wordorder.preorder.grammar.treebank import ForestShape

pytest.importorskip("distributed")
# Dask talks of its own concerns, such as ports and closing loops.
pytestmark = pytest.mark.filterwarnings("ignore")


def slow_square(folder: str, x: int) -> tuple[int, int]:
    Path(folder, f"{x}-{os.getpid()}").touch()
    time.sleep(0.3)
    return x * x, os.getpid()


@pytest.mark.slow
def test_counts_are_the_same_and_a_killed_worker_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    tokens: list[TokenisedSentence] = [random_tokens(int(n), rng) for n in rng.integers(2, 10, size=200)]
    bank = bank_of(tokens, ForestShape())
    tables = random_tables(len(OPERATORS), binary=3, nary=2, seed=9)
    here = expect(tables, bank)
    monkeypatch.setattr("wordorder.preorder.grammar.em.PART", 16)
    with runner("local:2") as run:
        away = shared_out(tables, bank, run=RunOptions(runner=run))
        np.testing.assert_allclose(away.rules, here.rules, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(away.lexical, here.lexical, rtol=1e-5, atol=1e-5)
        assert np.array_equal(away.log_likelihood, here.log_likelihood)

        def kill_one() -> None:
            while not (seen := [int(p.name.split("-")[1]) for p in tmp_path.iterdir()]):
                time.sleep(0.05)
            os.kill(seen[0], signal.SIGKILL)

        killer = threading.Thread(target=kill_one)
        killer.start()
        found = list(run(partial(slow_square, str(tmp_path)), range(8)))
        killer.join()
        assert [square for square, _ in found] == [x * x for x in range(8)]
        assert len({int(p.name.split("-")[1]) for p in tmp_path.iterdir()}) >= 2

        sources, alignments = corpus(60)
        one = SMALL.fit(TrainingData(sources, alignments), RunOptions(runner=run))
        other = SMALL.fit(TrainingData(sources, alignments))
        np.testing.assert_allclose(one.arrays()["rules"], other.arrays()["rules"], rtol=1e-3, atol=1e-3)


def test_a_wrong_number_of_processes() -> None:
    with pytest.raises(BadSetting, match="local:N"), runner("local:none"):
        pass
