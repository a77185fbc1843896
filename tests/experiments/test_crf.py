"""The forest CRF experiment: what is stored comes back, averages are averages, ceilings are ceilings."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from experiments.crf import jobs, lengths, run, scores, sets
from experiments.parallel import Corpus, predict_orders, read_lines
from tests.oracle.crf import trees
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.data import sample
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.evaluate.variants import VARIANTS
from wordorder.preorder import Source, load_preorderer
from wordorder.preorder.crf.decoding import Expectations
from wordorder.preorder.crf.forest_crf import ForestCRF


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus in the place of one that is cross-validated, and raw text with one of its sentences."""
    made = tmp_path_factory.mktemp("parallel")
    text = {end: sample(f"text.{end}").read_text("utf-8").splitlines()[:20] for end in ("en", "align")}
    text["fr"] = ["x " * 30] * 20
    for name in ("hansards/en-fr/test", "kftt30k/en-ja/train", "ntrex/en-ja/all"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        for end, lines in text.items():
            some = lines if name.startswith("hansards") else [*lines[:3], *(f"{x} too" for x in lines)]
            (made / f"{name}.{end}.gz").write_bytes(gzip.compress("".join(f"{x}\n" for x in some).encode()))
    return made


def test_stored_orders_and_tables_come_back(folder: Path, tmp_path: Path) -> None:
    data = sets.Data(folder)
    store = jobs.Store(tmp_path, data)
    job = jobs.Job("features", "hansards", 1, 7)
    assert not store.has(job) and jobs.Job.parse(str(job)) == job
    jobs.run_job(job, store)
    assert store.has(job)
    test = data.tested_part("hansards", 1).sources
    fitted = jobs._fitted(job, data, 1)
    found = store.read(job, "hansards", tables=True)
    assert found.orders == predict_orders(fitted, test)
    for sentence, exact in zip(found.tables, fitted.expectations(test), strict=True):
        for one, other in zip(sentence, exact, strict=True):
            assert np.abs(np.triu(one.inverted, 1) - np.triu(other.inverted, 1)).max() <= 0.6 / jobs.STEP
            assert np.abs(one.following - other.following).max() <= 0.6 / jobs.STEP
    short = sets.Data(folder, limit=15)
    with pytest.raises(SystemExit, match="other sentences"):
        jobs.Store(tmp_path, short).read(job, "hansards")


def test_tables_of_long_sentences_are_kept_in_pieces() -> None:
    rng = np.random.default_rng(3)

    def piece(n: int) -> object:
        found = rng.random((n, n)), rng.random((n + 1, n + 1))
        return Expectations(0.0, np.triu(found[0], 1), found[1])

    tables = [[piece(3)], [piece(4), piece(2)], [piece(1)]]
    flat = [one for some in tables for one in some]
    arrays = {
        "pieces": np.array([3, 4, 2, 1]),
        "inverted": jobs._rounded([one.inverted[np.triu_indices(len(one.inverted), 1)] for one in flat]),
        "following": jobs._rounded([one.following for one in flat]),
    }
    back = jobs._read_tables(arrays, [3, 6, 1])
    assert [len(some) for some in back] == [1, 2, 1]
    assert np.allclose(back[1][1].following, tables[1][1].following, atol=1e-3)
    assert [len(order) for order in jobs.decode(back)] == [3, 6, 1]
    assert set(jobs.decode(back)[1].order[:4].tolist()) == {0, 1, 2, 3}


def test_an_average_decides_where_its_members_disagree() -> None:

    def sure(inverted: float) -> list[list[object]]:
        following = np.array([[0, 1 - inverted, inverted], [inverted, 0, 1 - inverted], [1, 1, 0]])
        following[2, :2] = 1 - inverted, inverted
        return [[Expectations(0.0, np.array([[0, inverted], [0, 0]]), following)]]

    assert jobs.decode(sure(0.4)) == [Permutation.from_order([0, 1])]
    assert jobs.decode(jobs.average_tables([sure(0.4), sure(0.9)])) == [Permutation.from_order([1, 0])]
    assert jobs.decode(jobs.average_tables([sure(0.4), sure(0.5)])) == [Permutation.from_order([0, 1])]


def test_means_over_seeds_are_scored_as_single_runs_are(folder: Path) -> None:
    corpus = sets.Data(folder).tested("hansards")
    words = [one.words for one in corpus.sources]
    rng = np.random.default_rng(1)
    one, other = ([Permutation.from_order(rng.permutation(len(w)).tolist()) for w in words] for _ in range(2))
    still = [Permutation.identity(len(w)) for w in words]
    runs = {"identity": [still], "one": [one], "both": [one, other]}
    systems = {name: dict.fromkeys(scores.COLUMNS, some) for name, some in runs.items()}
    table = scores.score(corpus.alignments, words, systems)
    found = evaluate_orders(corpus.alignments, {"one": one, "other": other}, words=words)
    by_name = {scored.variant.name: scored for scored in found.variants}
    for column in scores.COLUMNS:
        variant, score = column
        cell = by_name[variant].cells["one"][score]
        mine = table.cells["one"][column]
        assert mine.score == pytest.approx(cell.score) and mine.interval.low == pytest.approx(
            cell.interval.low
        )
        assert table.p_value("identity", "one", column) == pytest.approx(cell.p_value)
        each = [by_name[variant].cells[name][score].score for name in ("one", "other")]
        both = table.cells["both"][column]
        assert both.score == pytest.approx(np.mean(each))
        assert (both.low, both.high) == pytest.approx((min(each), max(each)))


@pytest.mark.parametrize("n", [1, 4, 5])
def test_no_binary_tree_is_better_than_the_ceiling(n: int) -> None:
    rng = np.random.default_rng(n)
    every = {Permutation.from_order(one.order) for one in trees(0, n)}
    for _ in range(25):
        raw = rng.integers(-1, n, size=n)
        known = sorted(set(raw[raw >= 0].tolist()))
        ranks = np.array([known.index(x) if x >= 0 else -1 for x in raw], np.int32)
        for column in scores.COLUMNS:
            variant = VARIANTS[column[0]]
            score = next(one for one in variant.scores if one.name == column[1])

            def of(order: Permutation) -> float:
                return float(score.scores(variant.rows([ranks], [order], [score])[0])[0])  # noqa: B023

            best = max(map(of, every))
            assert of(scores.best_order(ranks, n, column)) == pytest.approx(best), (ranks, column)


def test_raw_text_has_no_tested_sentence(folder: Path) -> None:
    data = sets.Data(folder)
    tested = {one.words for one in data.tested("hansards").sources}
    assert len(read_lines(folder, "kftt30k/en-ja/train", "en")) == 23
    assert len(data.raw("hansards")) == 40 and not tested & set(data.raw("hansards"))


def test_parts_do_not_overlap(folder: Path) -> None:
    data = sets.Data(folder)
    parts = [data.indices("hansards", part) for part in range(sets.PARTS)]
    assert sorted(s for some in parts for s in some) == list(range(20))
    tested = data.tested_part("hansards", 2).sources
    assert len(data.training("hansards", 2).sources) + len(tested) == 20


def test_a_run_goes_on_where_it_ended(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in set(sets.SETS) - {"hansards"}:
        monkeypatch.delitem(sets.SETS, name)
    names = ("main", "some-sets", "sets", "trees", *sets.SETS)
    text = "".join(f"<!-- {name} -->\n\n<!-- end {name} -->\n" for name in names)
    monkeypatch.setattr(run, "PAGE", tmp_path / "crf.md")
    run.PAGE.write_text(text)
    given = [str(folder), "--work", str(tmp_path / "work"), "--systems", "grammar", "--seeds", "2"]
    assert run.main([*given, "--minutes", "0"]) == 0
    assert "no time for 5 more" in capsys.readouterr().out
    assert run.main([*given, "--check"]) == 0
    assert run.main([*given, "--jobs", "2"]) == 0
    assert "| Reordering Grammar | 1 |" in run.PAGE.read_text()
    assert run.main([*given, "--check"]) == 0
    capsys.readouterr()
    run.main([*given, "--list"])
    assert "5 of 5 done" in capsys.readouterr().out
    (tmp_path / "work" / "grammar.hansards.3.2.npz").unlink()
    assert run.main([*given, "--check"]) == 1
    assert "main is out of date" in capsys.readouterr().out


@pytest.mark.shared
def test_documents_of_the_treebank_are_in_one_part_for_all_languages(shared: Path) -> None:
    data = sets.Data(shared / "data" / "parallel")
    for part in range(sets.PARTS):
        texts = {}
        for name in ("pud-ja", "pud-ko", "pud-zh"):
            tested = data.tested_part(name, part).sources
            learned = data.training(name, part).sources
            texts[name] = (
                {one.parse.sent_id[:6] for one in tested},
                {one.parse.sent_id[:6] for one in learned},
            )
        tested = set.union(*(one for one, _ in texts.values()))
        assert len(tested) > 20 and all(not tested & learned for _, learned in texts.values())


def test_windows_lose_nothing_in_short_sentences() -> None:
    model = load_preorderer("en-ja-crf")
    assert isinstance(model, ForestCRF)
    texts = ["he bought a red car in the town where he was born", "i saw the man who sold it"]
    sources = [Source(tuple(text.split())) for text in texts]
    links = [Alignment(len(s), len(s), [(i, len(s) - 1 - i) for i in range(len(s))]) for s in sources]
    rows = lengths.accuracy_rows(model, Corpus(sources, links), sizes=(5, 12))
    same = {name: row for name, *row in rows}
    assert same["windows of 12"][:-1] == same["cut to 12"][:-1] == same["exact"][:-1]
    assert same["windows of 5"][:-1] != same["exact"][:-1] == ["100%", *same["exact"][1:-1]]
    assert float(same["windows of 5"][1]) < float(same["exact"][1])
    assert [row[0] for row in lengths.time_rows(model, sources[0].words, [3, 9])] == ["3", "9"]
